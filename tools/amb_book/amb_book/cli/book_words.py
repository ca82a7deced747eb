"""The words of `amb book`, English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from amb_core.rendering import Language

__all__ = ["Language", "word"]


_WORDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "imported": "{chapters} chapters taken in, {first} to {last}",
        "already": "{already} of them were there already",
        "unquoted": "statements of the model left out, for what they quote does not say so: {dropped}",
        "not_settled": "statements left out, for they cannot be settled beside the others: {refused}",
        "unread": "the model had no usable answer for chapters {chapters}; import the same again to have them read",
        "read_off": "chapter {done} of {of} ({tokens} tokens)",
        "cast": "in it: {names}",
        "since": "since chapter {since}",
        "also": "also called {names}",
        "as_of": "as of chapter {at}",
        "status": "state: {value}",
        "place": "at: {value}",
        "timeline": "what held so far:",
        "holds": "what holds:",
        "nobody": "nobody and nothing is settled by then",
        "passage": "[chapter {chapter}{title}]",
        "no_passage": "no passage fits",
        "no_text": "the book has no text yet; import a manuscript: amb book BOOK import FILE",
        "clean": "nothing in it contradicts the book",
        "found": "{count} found",
        "chapter": "chapter {chapter}",
        "planned": "planned",
        "of_lore": "lore",
        "no_lore": "there is no lore on it",
        "by_rules": "the model did not look at all of it; there the rules alone did: {problem}",
        "no_plan": "nothing is planned yet",
        "no_hooks": "no hook is laid",
        "open": "open",
        "resolved": "resolved in chapter {chapter}",
        "laid": "laid in chapter {chapter}",
        "settled": "settled for chapter {chapter} as {id}: {count} statements",
        "again": "{id} is settled already; nothing changed",
        "new": "new: {names}",
        "ended": "ended: {facts}",
        "undone": "{id} is undone: {count} facts went",
        "talk": "Plain text goes on with the task; /new TITLE begins one, /help lists the commands, /quit ends.",
        "talk_help": "/drop N … – leave statements out of the proposal\n/add {…} – put one into it, as JSON\n/fill N VALUE – write a value into place [N] of the form\n/text – show the text that goes to the archive; /text drop leaves it out\n/quit – end",
        "no_proposal": "nothing waits to be confirmed here; say /settle first",
        "no_text_here": "no text goes to the archive with it",
        "bad_rows": "say which of the statements 1 to {count} go, as in: /drop 2 3",
        "bad_json": "write the statement as a JSON object, as in: /add {example}",
        "bad_place": "say which of the places 1 to {count}, and what stands there, as in: /fill 1 dead",
        "nobody_named": "the book has no text of this chapter, or it names nobody; import it, or write statements",
    },
    "zh": {
        "imported": "导入 {chapters} 章，第 {first} 章至第 {last} 章",
        "already": "其中 {already} 章早已导入",
        "unquoted": "模型的 {dropped} 条陈述未采用，因为所引的原文没有这样说",
        "not_settled": "与其他内容不能并存的 {refused} 条陈述未采用",
        "unread": "模型对第 {chapters} 章没有可用的回答；再次导入同一文件即可读取",
        "read_off": "第 {done} 章，共 {of} 章（{tokens} token）",
        "cast": "人物与事物：{names}",
        "since": "自第 {since} 章",
        "also": "又称 {names}",
        "as_of": "截至第 {at} 章",
        "status": "状态：{value}",
        "place": "所在：{value}",
        "timeline": "历来所立：",
        "holds": "当前成立：",
        "nobody": "至此尚无已结算的人物或事物",
        "passage": "[第 {chapter} 章{title}]",
        "no_passage": "没有符合的段落",
        "no_text": "本书还没有正文；请先导入：amb book 书 import 文件",
        "clean": "没有发现与本书矛盾之处",
        "found": "发现 {count} 处",
        "chapter": "第 {chapter} 章",
        "planned": "规划",
        "of_lore": "设定",
        "no_lore": "没有相关的设定",
        "by_rules": "模型没有看完全文，以下部分仅按规则检查：{problem}",
        "no_plan": "尚无规划",
        "no_hooks": "没有伏笔",
        "open": "未回收",
        "resolved": "第 {chapter} 章回收",
        "laid": "第 {chapter} 章埋下",
        "settled": "已结算第 {chapter} 章（{id}）：共 {count} 条",
        "again": "{id} 早已结算，没有变化",
        "new": "新出现：{names}",
        "ended": "终止：{facts}",
        "undone": "已撤销 {id}：{count} 条事实不再成立",
        "talk": "直接输入文字即继续当前任务；/new 标题 开始任务，/help 列出命令，/quit 结束。",
        "talk_help": "/drop 编号… —— 从提案中删去\n/add {…} —— 以 JSON 加入一条\n/fill 编号 内容 —— 填写表单中的 [编号]\n/text —— 显示将存入原文库的正文；/text 删去 则不存\n/quit —— 结束",
        "no_proposal": "这里没有待确认的提案；请先 /settle",
        "no_text_here": "没有要存入原文库的正文",
        "bad_rows": "请指出删去 1 至 {count} 中的哪几条，例如：/drop 2 3",
        "bad_json": "请把该条写成 JSON 对象，例如：/add {example}",
        "bad_place": "请指出 1 至 {count} 中的哪一处，以及填什么，例如：/fill 1 已死",
        "nobody_named": "本书没有这一章的正文，或正文没有提到任何人；请先导入，或自己写出各条",
    },
}


def word(language: Language, key: str, **fields: object) -> str:
    """One of the sentences; without fields as it stands."""
    text = _WORDS[language][key]
    return text.format(**fields) if fields else text
