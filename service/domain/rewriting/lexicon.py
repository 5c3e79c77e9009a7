"""Words a rewrite may bring along, and words that claim something and so must be in the source.

Deeds come in classes: a verb may stand for another of its class and for nothing else.
"""

# ruff: noqa: E501, ISC004 - word lists and patterns are read in one piece

from collections.abc import Mapping
from typing import Final

from service.domain.assertions.tokens import stem

# Verbs by what they say was done. English in any form (compared by stem), Chinese as written.
_DEEDS: Final[Mapping[str, tuple[str, str]]] = {
    "less": (
        "reduce cut lower decrease shrink drop save trim shorten fall fell down reduction saving"
        " savings decline less smaller shorter lowered halve halved",
        "降低 减少 下降 缩短 节省 压缩 降至 降到 减至 缩减 减小 减半 降 省 减 缩 低 少 短",
    ),
    "more": (
        "increase improve raise boost lift grow grew speed accelerate gain enhance faster speedup"
        " rise rose extend extended improvement higher acceleration double doubled triple tripled",
        "提升 提高 增加 增长 加快 加速 提速 改善 增大 升至 升到 提至 提到 翻倍 升 增 快 高 速度",
    ),
    "better": (
        "improve optimize optimise optimization optimisation tune tuned tuning refine enhance improvement",
        "优化 改进 改善 调优 提升 提高 完善",
    ),
    "build": (
        "build built develop implement create write wrote written construct code program"
        " implementation development",
        "搭建 构建 实现 开发 编写 研发 建设 建立 撰写 写",
    ),
    "design": ("design designed devise", "设计 规划"),
    "train": ("train trained pretrain pretrained finetune finetuned fine-tune training", "训练 预训练 微调"),
    "run": ("run ran launch execute perform conduct", "运行 执行 启动 跑 开展 完成"),
    "deploy": ("deploy ship release serve deployment", "部署 上线 落地 发布"),
    "look": (
        "analyze analyse profile investigate diagnose measure evaluate examine locate identify find"
        " found trace analysis evaluation",
        "分析 剖析 定位 排查 测量 评估 发现 调研 诊断",
    ),
    "fix": ("fix resolve solve repair eliminate remove address", "解决 修复 消除 排除 处理"),
    "move": (
        "replace migrate switch move port convert change substitute migration replacement",
        "替换 迁移 切换 改为 改用 换成 替代 改成 代替 换为 改",
    ),
    "bring": ("introduce introduction", "引入"),
    "join": ("integrate combine integration", "集成 接入 结合 整合"),
    "add": ("add added extend", "增加 新增 添加"),
    "keep": ("keep kept hold maintain preserve stay remain", "保持 维持 维护"),
    "test": ("test verify validate benchmark", "测试 验证 压测"),
    "clean": ("clean filter collect process deduplicate", "清洗 过滤 收集 处理 去重"),
    "reach": ("achieve reach attain hit", "达到 达成 取得 实现 达 至"),
    "split": ("shard partition split distribute", "切分 拆分 分片"),
    "grow": ("scale scaled scaling extend", "扩展 扩大 扩到"),
    "adapt": ("adapt adjust configure set", "适配 调整 配置"),
    "merge": ("merge fuse fused", "融合 合并"),
    "automate": ("automate automated", "自动化"),
    "answer": ("maintain operate support", "维护 运维 支持 支撑"),
}  # fmt: skip

# Who did it. "Responsible for" is not "led", "we" is not "alone".
_ROLES: Final[Mapping[str, tuple[str, str]]] = {
    "lead": (
        "lead led leading leader spearhead head headed direct directed drive drove driven champion"
        " orchestrate pioneer pioneered",
        "主导 牵头 带领 带队 领导 领衔 推动 主持 负责人 统筹",
    ),
    "manage": ("manage managed manager management supervise supervised oversee oversaw own owned", "管理 全权 全面负责"),
    "alone": ("independently solely single-handedly singlehandedly alone personally sole", "独立 独自 一手 单独"),
    "teach": ("mentor mentored coach coached teach taught", "指导 带教 培训"),
    "architect": ("architect architected architecture", "架构"),
    "found": ("founded co-founded establish established", "创立 创建 发起"),
}  # fmt: skip

# A small part said to be small stays small.
_MODEST: Final = (
    "participate participated participating participation assist assisted assisting help helped helping"
    " contribute contributed contributing contribution shadow shadowed learn learned learning attempt"
    " attempted try tried trying planned prototype demo toy coursework course tutorial partial partially"
    " intern experiment experimental",
    "参与 协助 辅助 配合 帮助 学习 了解 尝试 计划 拟 打算 跟进 原型 课程 作业 复现 部分 试验 实验性 试点",
)

# How big, how many, how good, without a figure.
_SCALE: Final = (
    "massive massively large-scale largescale large huge enormous production enterprise company-wide"
    " org-wide team-wide significant significantly dramatic dramatically substantial substantially"
    " considerable considerably great greatly drastic drastically vast thousands hundreds millions"
    " billions dozens tens multiple several many numerous various countless critical key core essential"
    " industry-leading state-of-the-art sota world-class cutting-edge best largest biggest fastest first"
    " only unique novel innovative groundbreaking award winning award-winning top leading all entire full"
    " fully end-to-end cross-team cross-functional seamless seamlessly successful successfully global"
    " worldwide nationwide mission-critical hyperscale petabyte terabyte expert highly extremely very"
    " complete completely robust always never zero-downtime flagship senior principal chief always",
    "大规模 超大规模 海量 大量 众多 多个 多项 多家 数十 数百 数千 数万 数亿 几十 几百 几千 上百 上千 上万 百卡 千卡 万卡"
    " 百亿 千亿 万亿 亿级 千万级 百万级 全公司 全集团 全国 全球 生产环境 生产级 企业级 工业级 核心 关键 重要 重大 首个 首次"
    " 第一 唯一 最大 最快 最佳 最优 领先 一流 顶级 显著 大幅 大幅度 极大 极大地 明显 巨大 成倍 全面 全部 整个 彻底 完全 成功"
    " 圆满 创新 突破 获奖 奖 冠军 优秀 高质量 高性能 高可用 端到端 全链路 全流程 从零 从0到1 跨团队 跨部门 国际 旗舰 资深"
    " 专家 深厚 丰富 精通 稳定 多次 长期 广泛",
)  # fmt: skip

_TIMES: Final = (
    "today yesterday recently lately currently annually yearly monthly weekly daily quarterly spring summer"
    " autumn fall winter january february march april may june july august september october november"
    " december overnight year month week quarter decade",
    "去年 今年 前年 近年 近期 最近 目前 当前 季度 上半年 下半年 年底 年初 春季 夏季 秋季 冬季 每天 每周 每月 每年 半年 长达 短期",
)  # fmt: skip

_PLAIN: Final = (
    "a an the of in on at to for from by with and or as into onto per each via using use used uses apply"
    " applied applying adopt adopted adopting employ employed through while when where which that this"
    " these those its their it after before during so than then thus therefore thereby resulting result"
    " results resulted effect outcome across between over under within up out be is are was were been"
    " being has have had do did does done doing make made making get got getting to about around nearly"
    " almost approximately roughly at least most more less work worked working on basis based because since"
    " due given goal task situation action under our my we i them they such also both same other another"
    " parameter parameters now still further one compared versus vs against instead rather percent per-gpu for toward towards"
    " along together including include included with around previously originally prior later finally first"
    " part responsible there if again across leading how what not no without",
    "的 了 在 中 上 下 对 将 把 以 用 使 使得 让 由 从 到 至 为 与 和 及 并 或 等 时 后 前 内 外 该 其 此 这 那 是 有 个 通过 使用 采用 应用"
    " 运用 利用 基于 针对 面向 因 因此 因为 由于 从而 进而 最终 结果 成果 效果 情况 背景 任务 行动 目标 问题 方案 方法 方式 进行 完成"
    " 工作 相关 相比 相较 比 较 原 原来 原先 此前 之前 之后 随后 其中 同时 以及 并且 而 则 也 均 每 单 过程 参数 参数量 期间 下的 之间 间 约 近 超过"
    " 以上 以下 不到 左右 仅 只 于 所 被 给 向 按 据 根据 依据 为了 用于 引起 导致 造成 负责 承担 主要 作为 一 一个 两 共 共计 总 本 我 我们 来 去 出"
    " 成 得 地 过 着 再 又 就 都 还 已 不 未 没有 无",
)  # fmt: skip

# Which measure a figure is of; figures do not move from one to another.
METRICS: Final[Mapping[str, str]] = {
    "memory": r"显存|内存|memory|vram|hbm",
    "throughput": r"吞吐|throughput|tokens?/s|samples?/s|qps|速度|speed|提速|加速",
    "latency": r"延迟|时延|latency|ttft",
    "time": r"时间|耗时|时长|\btime\b|duration|hours|天",
    "cost": r"成本|费用|\bcost",
    "quality": r"准确率|精度|准确度|accuracy|\bloss\b|损失|ppl|perplexity|mmlu|bleu",
    "use": r"利用率|mfu|utili[sz]ation",
    "traffic": r"通信量|通信|communication|traffic|bandwidth|带宽",
}


# Two ways of writing one word.
SAME: Final[Mapping[str, str]] = {"maximum": "max", "minimum": "min", "parameters": "params"}


def english(words: str) -> frozenset[str]:
    return frozenset(stem(w) for w in words.split())


def han(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _forms(table: Mapping[str, tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """The classes of each form, English by stem."""
    found: dict[str, list[str]] = {}
    for name, (latin, chinese) in table.items():
        for form in (*english(latin), *han(chinese)):
            found.setdefault(form, []).append(name)
    return {form: tuple(dict.fromkeys(names)) for form, names in found.items()}


DEEDS: Final = _forms(_DEEDS)
ROLES: Final = _forms(_ROLES)
MODEST: Final = english(_MODEST[0]) | han(_MODEST[1])
SCALE: Final = english(_SCALE[0]) | han(_SCALE[1])
TIMES: Final = english(_TIMES[0]) | han(_TIMES[1])
PLAIN_ENGLISH: Final = english(_PLAIN[0])
PLAIN_HAN: Final = han(_PLAIN[1])
LONGEST_HAN: Final = max(len(w) for w in (*DEEDS, *ROLES, *MODEST, *SCALE, *TIMES, *PLAIN_HAN))
