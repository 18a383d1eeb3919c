"""A household for document 002's ten queries, written for these tests: everybody in it is made up.

Each item: key, content, kind, days ago. Each query: the question, and the keys any of which answers it;
`c` keys are of the constitution, `s` keys of the last days' summaries.
"""

from __future__ import annotations

CONSTITUTION_ZH = (
    ("c0", "你是岑若溪，今年77岁，住在临溪镇梅园路"),
    ("c1", "你的女儿叫岑小岚，电话 139-0000-0042，是你的主要照护者"),
    ("c2", "你每天早上八点、晚上八点各吃一片缬沙坦"),
)
FACTS_ZH = (
    ("f01", "妈妈最爱吃清蒸鲈鱼和桂花糕", "preference", 40),
    ("f02", "儿媳喜欢吃辣，每顿都要放辣椒", "preference", 35),
    ("f03", "小区门口的菜场早上六点开门", "place", 90),
    ("f04", "老同学罗槐安和妈妈认识六十年了，住在隔壁县", "relation", 120),
    ("f05", "楼下的保安姓贺，晚上值班", "relation", 60),
    ("f06", "妈妈结婚前一直住在青石渡的老宅", "place", 300),
    ("f07", "儿子去年在省城买了新房", "place", 200),
    ("f08", "陶医生说妈妈的血压控制得不错，要少吃盐", "medical", 15),
    ("f09", "外孙女打疫苗后发了一天烧", "medical", 30),
    ("f10", "妈妈对虾过敏，海虾河虾都不能碰", "medical", 150),
    ("f11", "爸爸生前不吃香菜", "preference", 250),
    ("f12", "每周三上午十点社区有合唱排练", "event", 20),
    ("f13", "复查约在下个月六号上午", "event", 5),
    ("f14", "妈妈年轻时在纺织学校教书", "fact", 300),
    ("f15", "阳台上种了三盆茉莉", "fact", 45),
    ("f16", "备用钥匙放在鞋柜最上面的铁盒里", "place", 70),
    ("f17", "电视遥控器换过两节电池", "event", 33),
    ("f18", "妈妈睡前爱听评弹", "preference", 80),
)
DAYS_ZH = (
    ("s0", "上午和小岚去了荷塘公园，走了一圈，喂了鱼", 0, 10),
    ("s1", "下午表妹带着橘子来坐了一个小时", 0, 15),
    ("s2", "昨天在家看了一下午电视", 1, 16),
    ("s3", "半个月前去镇上理了发", 15, 9),
)
QUERIES_ZH = (
    ("女儿电话", ("c1",)),
    ("吃什么药", ("c2",)),
    ("今天去哪了", ("s0",)),
    ("喜欢吃什么", ("f01",)),
    ("老朋友", ("f04",)),
    ("以前住哪", ("f06",)),
    ("医生说", ("f08",)),
    ("不能吃", ("f10",)),
    ("什么时候", ("c2", "f12", "f13")),
    ("谁来过", ("s1",)),
)

CONSTITUTION_EN = (
    ("c0", "You are Wren Ashgrove, 77 years old, and live on Plum Lane in Lower Brook"),
    ("c1", "Your daughter is Linnet Ashgrove, phone 555-0142; she looks after you"),
    ("c2", "You take one valsartan tablet at eight in the morning and one at eight in the evening"),
)
FACTS_EN = (
    ("f01", "Mum's favourite dishes are steamed trout and rhubarb crumble", "preference", 40),
    ("f02", "Her daughter-in-law likes everything hot and peppery", "preference", 35),
    ("f03", "The greengrocer at the corner opens at six", "place", 90),
    (
        "f04",
        "Barnaby Rook, a school friend, has known Mum for sixty years and lives in the next county",
        "relation",
        120,
    ),
    ("f05", "The porter downstairs is called Mr Hale and works nights", "relation", 60),
    ("f06", "Before she married, Mum lived in the old mill house at Stonecross", "place", 300),
    ("f07", "Her son bought a new flat in the city last year", "place", 200),
    (
        "f08",
        "Doctor Tansley says Mum's blood pressure is under control and she should use less salt",
        "medical",
        15,
    ),
    ("f09", "The granddaughter ran a fever for a day after her jab", "medical", 30),
    ("f10", "Mum is allergic to prawns and must not touch shellfish", "medical", 150),
    ("f11", "Dad never ate coriander", "preference", 250),
    ("f12", "Choir practice is at the community hall every Wednesday at ten", "event", 20),
    ("f13", "The check-up is booked for the sixth of next month, in the morning", "event", 5),
    ("f14", "Mum taught at the weaving school when she was young", "fact", 300),
    ("f15", "There are three pots of jasmine on the balcony", "fact", 45),
    ("f16", "The spare key is in the tin on top of the shoe cupboard", "place", 70),
    ("f17", "The remote control got two new batteries", "event", 33),
    ("f18", "Mum likes the radio play before she falls asleep", "preference", 80),
)
DAYS_EN = (
    ("s0", "In the morning she went to Lotus Park with Linnet, walked once round and fed the fish", 0, 10),
    ("s1", "In the afternoon her cousin came by with oranges and stayed an hour", 0, 15),
    ("s2", "She watched television at home all afternoon", 1, 16),
    ("s3", "Went into the village for a haircut", 15, 9),
)
QUERIES_EN = (
    ("daughter's phone", ("c1",)),
    ("what medicine do I take", ("c2",)),
    ("where did I go today", ("s0",)),
    ("what do I like to eat", ("f01",)),
    ("old friend", ("f04",)),
    ("where did I use to live", ("f06",)),
    ("what did the doctor say", ("f08",)),
    ("what can't I eat", ("f10",)),
    ("when is it", ("c2", "f12", "f13")),
    ("who came to see me", ("s1",)),
)
