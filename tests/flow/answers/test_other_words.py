"""Questions that share no word with their answer, under the thresholds of `care`, by the default embedder."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from holdfast import Holdfast

NOW = datetime(2026, 5, 14, 16, tzinfo=UTC)
MISSED = 2  # of the fifteen; before what stands out came along, seven were

FACTS_ZH = (
    ("牙医是城南口腔的刘大夫", "medical", "牙疼得厉害，该找谁"),
    ("每天早上吃一片氨氯地平，降血压", "medical", "起床以后要吃哪种药"),
    ("对青霉素过敏，一打就起疹子", "medical", "能给我开阿莫西林吗"),
    ("女儿小梅在苏州当小学老师", "relation", "我闺女做什么工作"),
    ("小时候住在芜湖江边的老街", "place", "我是在哪儿长大的"),
    ("自来水总阀在厨房水槽下面", "place", "家里漏水了，怎么关"),
    ("备用电池放在冰箱顶上的铁盒里", "place", "手电筒不亮了"),
    ("晚饭后爱听收音机里的评书", "preference", "晚上我喜欢什么节目"),
    ("1965年国庆节跟老伴德明结的婚", "event", "我哪年成的家"),
    ("六月二号约了市立医院做白内障手术", "event", "眼睛什么时候开刀"),
    ("厨余垃圾周三晚上拿下楼", "preference", "哪天倒垃圾"),
    ("周五下午跟老陈、吴姐打麻将", "preference", "平时跟谁一块儿玩牌"),
    ("大夫嘱咐一天盐不超过六克", "medical", "医生对我的饮食怎么交代的"),
    ("路由器在电视柜里，上不了网就拔了再插", "place", "网断了怎么办"),
    ("爱看金庸的武侠小说，字要大的", "preference", "我最喜欢哪个作家"),
    ("会织毛衣，给医院的早产儿织过毯子", "skill", ""),
    ("家里的猫叫花花，晚上喂半罐鱼", "preference", ""),
    ("一月份摔过一跤，出门要拄拐杖", "medical", ""),
    ("去北京旅游的照片在蓝色相册里", "place", ""),
    ("热水器三月份请人检修过", "event", ""),
    ("星期天上午去教堂做礼拜", "preference", ""),
    ("孙子壮壮刚满七岁，迷恐龙", "relation", ""),
)
FACTS_EN = (
    ("The dentist is Dr Okafor on Mill Road", "medical", "I've got toothache, who do I ring"),
    ("Takes 5 mg bisoprolol every morning for her heart", "medical", "which tablets when I wake up"),
    ("Is allergic to penicillin; it brings her out in hives", "medical", "can I be given amoxicillin?"),
    ("Her daughter Ruth teaches maths in Dundee", "relation", "what does my girl do for a living"),
    ("Grew up in Whitby above her parents' chip shop", "place", "where was I a child"),
    ("The stopcock is under the kitchen sink", "place", "there's a leak, how do we shut it off"),
    ("Spare batteries are in the tin on top of the fridge", "place", "the torch has gone dead"),
    ("Listens to the Archers after supper", "preference", "which programme do I enjoy in the evenings"),
    ("Married Walter on 3 June 1961 at St Mary's", "event", "when was my wedding"),
    ("Has a cataract operation booked on 2 June", "event", "when are they doing my eyes"),
    ("Bins go out on Wednesday night", "preference", "what day is the rubbish collected"),
    ("Plays dominoes with Ted and Maureen on Fridays", "preference", "what games do I play"),
    ("The doctor told her to keep her salt down", "medical", "what did the GP say about my diet"),
    ("The wifi box is under the stairs; restart it if it sticks", "place", "the internet is down"),
    ("Reads large-print crime novels, Rankin above all", "preference", "who's my favourite author"),
    ("She knitted blankets for the premature babies", "skill", ""),
    ("Her cat Biscuit gets half a tin of tuna", "preference", ""),
    ("Uses a walking frame outdoors since the fall", "medical", ""),
    ("Photos of the Canada trip are in the blue album", "place", ""),
    ("The boiler was serviced in March", "event", ""),
    ("The vicar brings communion on Sundays", "event", ""),
    ("Her grandson Max turned seven", "relation", ""),
)


def traditional(text):
    from opencc import OpenCC

    return OpenCC("s2t").convert(text)


@pytest.mark.row("M11")
@pytest.mark.parametrize(
    ("facts", "write"),
    [(FACTS_ZH, str), (FACTS_ZH, traditional), (FACTS_EN, str)],
    ids=["simplified", "traditional", "english"],
)
def test_a_question_in_other_words_finds_its_answer_among_five(tmp_path, facts, write):
    with Holdfast(tmp_path) as house:
        me = house.space("home", profile="care")
        for days, (content, kind, _) in enumerate(facts):
            me.remember(write(content), kind=kind, at=NOW - timedelta(days=3 * days))
        missed = []
        for content, _, question in facts:
            if question:
                answer = me.recall(write(question), at=NOW)
                assert len(answer) <= 5
                if write(content) not in [hit.memory.content for hit in answer]:
                    missed.append((question, answer.step, [hit.memory.content for hit in answer]))
    assert len(missed) <= MISSED, missed
