"""Entity types whose values never conflict by likeness, and those that have one value at a time (A3). Pure.

RM05-008 and RM05-009 are as alike as two texts can be and have nothing to do with each other, so identifiers
are compared exactly. A phone that changed is unlike the old one, yet takes its place.
"""

from __future__ import annotations

import re

from holdfast.recall.fold import fold

# Types of identifiers, in the words people use for them (A3: part numbers, codes, phones, dates, amounts).
_IDENTIFIERS = """
part_number part part_no sku code serial serial_number order order_number invoice model version id account
phone telephone mobile tel email e-mail url ip address_code postcode zip plate card id_card passport
date time datetime year month day birthday amount price quantity number money
料号 零件号 编号 代码 编码 序列号 订单号 发票号 型号 版本 账号 电话 手机 手机号 电话号码 邮箱 邮编 车牌 卡号
身份证 护照 日期 时间 年份 生日 金额 价格 数量 号码
"""
# Types that hold one value at a time for one person or thing (A3: a changed phone). `label` tells things
# apart.
_SINGLE = """
phone telephone mobile tel email e-mail address residence home employer job birthday name age spouse
电话 手机 手机号 电话号码 邮箱 地址 住址 住处 工作单位 职业 生日 姓名 名字 年龄 配偶
"""
# A value that is one: digits among letters and signs, no word of prose.
_LOOKS_SO = re.compile(r"(?=[^ ]*\d)[a-z0-9¥$€£+#(][a-z0-9\-_./:#+()%,~ ]{0,60}")
_PROSE = re.compile(r"[a-z]{3,} |[ ][a-z]{3,}")


def _named(types: str) -> frozenset[str]:
    return frozenset(_plain(name) for name in types.split())


def _plain(name: str) -> str:
    return fold(name).strip().replace(" ", "_")


IDENTIFIERS, SINGLE = _named(_IDENTIFIERS), _named(_SINGLE)


def single_valued(entity_type: str) -> bool:
    """Whether a new value of this type takes the place of the old one, however unlike."""
    return _plain(entity_type) in SINGLE


def identifier(entity_type: str, value: str) -> bool:
    """Whether the value is compared exactly, never by likeness: by its type, or by how it looks."""
    if _plain(entity_type) in IDENTIFIERS:
        return True
    folded = fold(value).strip()
    return bool(_LOOKS_SO.fullmatch(folded)) and not _PROSE.search(folded)
