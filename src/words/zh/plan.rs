//! The view Plan.

use crate::answer::Term;

pub const NAME: &str = "规划";
pub const ASKS: &str = "枚举在 {1}（{2}）上训练 {0} 的全部方案，每个序列 {3} 个词元，每步 {4} 个序列：数据、张量、流水线、上下文与专家并行，分片、重算和微批大小。放得下的按每步耗时排序。";
pub const ASKS_WITHOUT_BATCH: &str = "枚举在 {1}（{2}）上训练 {0} 的全部方案：数据、张量、流水线、上下文与专家并行，分片、重算和微批大小。放得下的按每步耗时排序。";
pub const FIND: &str = "寻找最快的方案";
pub const FIND_AGAIN: &str = "重新搜索";
pub const EVERY_SCHEDULE: &str = "同时尝试 ZB1P、ZBV 与 DualPipe 调度";
pub const JUDGING: &str = "已评估的方案";
pub const JUDGED_OF: &str = "已评估 {0} / {1} 个方案";
pub const STOP: &str = "取消";
pub const STOPPED: &str = "评估 {0} / {1} 个方案后已取消，以下是其中最快的。";
pub const FAILED: &str = "规划程序未能加载，请重试或刷新页面。";
pub const COUNTED: &str = "共 {0} 个方案：{1} 个不能整除，{2} 个放不下，{3} 个由耗时下界排除，{4} 个完整计算了耗时。";
pub const OUTDATED: &str = "以下方案对应之前的设置；设置已变，请重新搜索。";
pub const NOTHING_FITS: &str = "在这些 GPU 上，没有放得下的方案。";
pub const NOTHING_DIVIDES: &str = "没有可行的方案：模型、批大小与 GPU 数无法整除，或有设置互相矛盾。";
pub const PLANS: &str = "放得下的方案，按每步耗时从快到慢";
pub const WHY_FIRST: &str = "为何第一：每步比第二名快 {0}（{1}）。";
pub const WHY_EQUAL: &str = "前两名耗时相同。";
pub const LESS: &str = "{0}少 {1}";
pub const MORE: &str = "{0}多 {1}";
pub const DATA: &str = "数据";
pub const TENSOR: &str = "张量";
pub const PIPELINE: &str = "流水线";
pub const CONTEXT: &str = "上下文";
pub const EXPERT: &str = "专家";
pub const SHARDING: &str = "分片";
pub const RECOMPUTE: &str = "重算";
pub const MICRO_BATCH: &str = "微批";
pub const THROUGHPUT: &str = "词元/秒/GPU";
pub const PEAK: &str = "峰值";
pub const HEADROOM: &str = "余量";
pub const STAGES: &str = "{0}，{1}";
pub const STAGES_OF_CHUNKS: &str = "{0}，交错 × {1}";
pub const NOW: &str = "当前设置";
pub const APPLY_LAYOUT: &str = "采用：{0}";
pub const BACKWARDS: &str = "反过来问";
pub const SEARCHING: &str = "搜索中……";
pub const FEWEST_GPUS: &str = "最少需要的 GPU（方案不限）";
pub const LONGEST_SEQUENCE: &str = "这些 GPU 上最长的序列（方案不限）";
pub const LONGEST_HERE: &str = "当前方案下最长的序列";
pub const LARGEST_HERE: &str = "当前方案下最大的微批";
pub const HIDING_NETWORK: &str = "当前方案下足以掩盖通信的网络";
pub const ON_GPUS: &str = "{0}：{1}；每步 {2}，峰值 {3}";
pub const OF_TOKENS: &str = "{0} 个词元：{1}；每步 {2}，峰值 {3}";
pub const OF_MOST_TOKENS: &str = "至少 {0} 个词元（试到此为止）：{1}；每步 {2}，峰值 {3}";
pub const TOKENS: &str = "{0} 个词元";
pub const SEQUENCES: &str = "{0} 个序列";
pub const NO_NUMBER: &str = "从恰能容纳模型状态的数目起，试过的 256 个数目都不够";
pub const NO_SEQUENCE: &str = "连 128 个词元也放不下";
pub const DOES_NOT_FIT: &str = "当前方案放不下";
pub const NO_LAYOUT: &str = "当前方案不可行";
pub const HIDES: &str = "每块 GPU {0}：每步未掩盖的通信从 {1} 降到 {2}；剩下的部分带宽再高也掩盖不了";
pub const HIDES_ALREADY: &str = "现有网络已够：每步仍有 {0} 未掩盖，再提高带宽省不下 1 % 的时间";
pub const DATA_OF: &str = "数据 {0}";
pub const TENSOR_OF: &str = "张量 {0}";
pub const PIPELINE_OF: &str = "流水线 {0}";
pub const CONTEXT_OF: &str = "上下文 {0}";
pub const EXPERT_OF: &str = "专家 {0}";
pub const NOTE: &str =
    "耗时为账本的估计，偏乐观；相近的方案在真实机器上可能互换名次。层数不能整除时，由两端的阶段少放几层。";

/// A part of the time of a step, within a sentence.
pub fn term(term: Term) -> &'static str {
    match term {
        Term::Compute => "计算",
        Term::Exposed => "未掩盖的通信",
        Term::Bubble => "流水线气泡",
        Term::Optimizer => "优化器更新",
    }
}
