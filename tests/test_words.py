"""The texts for people use one word for one thing, and are written as each language is written."""
import re

import pytest

from lifecycle import glossary, statements
from lifecycle.explanations.texts import texts
from lifecycle.lessons.catalog import folders
from lifecycle.lessons.lesson import LANGUAGES
from lifecycle.lessons.loading import load
from lifecycle.lessons.markup import block
from lifecycle.lessons.wording import texts_of

ENGLISH, CHINESE = LANGUAGES
CJK = "\u4e00-\u9fff"
# What is not written, and what is written instead. Between “ ” a word may be named that is not used.
WORDS = {
    CHINESE: {
        "API Server": "API 服务器", "Master": "控制平面", "控制面(?!板)": "控制平面", "调度程序": "调度器", "控制循环": "控制回路", "调谐": "协调",
        "监听": "监视", "垃圾回收": "垃圾收集", "存活探针": "存活态探针", "就绪探针": "就绪态探针", "初始化容器": "Init 容器", "选择器": "选择算符",
        "逐出": "驱逐", "重新调度": "新建", "自定义资源": "定制资源", "附属资源": "附属对象", "父资源": "属主", "所有者引用": "属主引用",
        "服务账户": "服务账号", "名字空间": "命名空间", "持久卷声明": "持久卷申领", "容器组": "Pod", "终结器": "Finalizer", "物理删除": "从 etcd 中移除",
        "优雅": "体面", "退避": "回退", "钩子": "回调", "直播": "实时", "您": "你", "我们": "你", "！": "。", "「": "“",
    },
    ENGLISH: {
        r"\b[Ss]imply\b": "", r"\b[Jj]ust (?!after|before)": "", r"\b[Ee]as(y|ily)\b": "", r"\b[Pp]lease\b": "", r"\bmasters?\b": "control plane",
        r"\be\.g\.": "for example", r"\bi\.e\.": "that is", r"\betc\.": "and so on", r"\bKubelet\b": "kubelet", r"\bKubectl\b": "kubectl",
        r"\bEtcd\b": "etcd", r"\b[Rr]oll-outs?\b": "rollout", r"\b\w*(olour|aviour|avour|itialise|uthoris|ecognise|rganis)\w*\b": "the American spelling",
        r"\d %": "25%", '"': "“ ”", "!": ".", r"\b([a-z]{2,}) \1\b": "once",
    },
}
# How it is set, outside of code.
SET = {
    CHINESE: {
        f"[{CJK}][A-Za-z0-9]|[A-Za-z0-9][{CJK}]": "a space between Chinese and Latin letters or digits", f"[{CJK}]`|`[{CJK}]": "a space beside code",
        f"[{CJK}][,;:?()]|[,;:?()][{CJK}]": "full-width punctuation", r"[，。；：？！（）、] (?!\|)|(?<!\|) [，。；：？！（）、]": "no space beside it",
        r"[\"']": "“ ”", r"\d %": "no space before %", rf"[{CJK}]\.": "。 or ……", rf"[{CJK}]\n[{CJK}]": "no line break between two characters",
    },
    ENGLISH: {f"[{CJK}，。：；]": "no Chinese", r"(?<=\S) {2,}": "one space", r" [,.;:?](?!\.\.)": "no space before punctuation"},
}


def everything(language):
    """(where, text) of all that is written for people in a language."""
    for folder in folders():
        for key, text in texts_of(load(folder).words[language]):
            yield f"{folder.name} {key}", text
    for name, each in texts(language).items():
        for key, text in texts_of(each):
            yield f"explanations {name}.{key}", text
    for id, entry in glossary.entries().items():
        yield f"glossary {id}", entry.term[language]
        yield f"glossary {id}", entry.text[language]
    for each in statements.all():
        if each.note:                      # the statement itself is the document's
            yield f"note {each.id}", each.note[language]
    for point in statements.points():
        yield f"point {point.id}", point.text[language]


def bare(text, code="`x`"):
    """A text with its links as their words, its code spans as `code`, and what is filled in as a letter."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("**", "")
    return re.sub(r"\{[^{}]*\}", "x", re.sub(r"`[^`]*`", code, text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_the_agreed_words_are_used(language):
    found = []
    for where, text in everything(language):
        prose = re.sub(r"“[^”]*”", "", bare(text, code=""))
        found += [(where, word, instead) for word, instead in WORDS[language].items() if re.search(word, prose)]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_set_as_the_language_is(language):
    found = []
    for where, text in everything(language):
        found += [(where, match.group(), rule) for pattern, rule in SET[language].items() for match in re.finditer(pattern, bare(text))]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sign_of_markdown_is_left_in_a_lesson(language):
    found = [(folder.name, key) for folder in folders() for key, text in texts_of(load(folder).words[language])
             if re.search(r"\*\*|`|\]\(", re.sub(r"<code[^>]*>.*?</code>", "", block(text), flags=re.DOTALL))]
    assert found == []
