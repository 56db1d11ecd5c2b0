//! The texts of the view that plans layouts.

use vram_ledger::planner::Term;

use super::{Language, Text, ViewText};

/// A text. `{0}`, `{1}` … stand for what [`Language::fill`] puts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanText {
    /// What the view is for: model, GPUs and their name, tokens, sequences.
    Asks,
    /// The same where the layout as it is does not divide, so that the batch is not known.
    AsksWithoutBatch,
    /// The button.
    Find,
    /// The button once there are plans.
    FindAgain,
    /// The switch.
    EverySchedule,
    /// The name of the progress bar.
    Judging,
    /// How far it is: layouts judged, layouts in all.
    JudgedOf,
    /// The button that ends it.
    Stop,
    /// It was ended: layouts judged, layouts in all.
    Stopped,
    /// The worker could not be had.
    Failed,
    /// What became of the layouts: all, impossible, too large, slower, timed.
    Counted,
    /// The plans are those of an earlier question.
    Outdated,
    /// None of them fits.
    NothingFits,
    /// None of them is possible.
    NothingDivides,
    /// Above the table.
    Plans,
    /// Why the first: seconds, the next, the parts.
    WhyFirst,
    /// The first and the next take as long.
    WhyEqual,
    /// A part that takes less: the part, seconds.
    Less,
    /// A part that takes more: the part, seconds.
    More,
    /// A column: data-parallel ranks.
    Data,
    /// A column.
    Tensor,
    /// A column.
    Pipeline,
    /// A column.
    Context,
    /// A column.
    Expert,
    /// A column.
    Sharding,
    /// A column.
    Recompute,
    /// A column.
    MicroBatch,
    /// A column.
    Throughput,
    /// A column.
    Peak,
    /// A column.
    Headroom,
    /// A pipeline: stages, schedule.
    Stages,
    /// An interleaved pipeline: stages, chunks.
    StagesOfChunks,
    /// In place of a button: this is the layout as it is.
    Now,
    /// A layout in a line, for those who hear a button's name alone: data, tensor, pipeline, context, micro-batch.
    ApplyLayout,
    /// Above the answers.
    Backwards,
    /// An answer is on its way.
    Searching,
    /// A question.
    FewestGpus,
    /// A question.
    LongestSequence,
    /// A question.
    LongestHere,
    /// A question.
    LargestHere,
    /// A question.
    HidingNetwork,
    /// An answer: GPUs, the layout, time of a step, peak.
    OnGpus,
    /// An answer: tokens, the layout, time of a step, peak.
    OfTokens,
    /// The same where no longer one is tried.
    OfMostTokens,
    /// An answer: tokens.
    Tokens,
    /// An answer: sequences.
    Sequences,
    /// No answer: none of the numbers tried is enough.
    NoNumber,
    /// No answer: not even the shortest.
    NoSequence,
    /// No answer: the layout as it is does not fit.
    DoesNotFit,
    /// No answer: the layout as it is is impossible.
    NoLayout,
    /// An answer: bandwidth, exposed now, exposed then.
    Hides,
    /// An answer: exposed.
    HidesAlready,
    /// A layout in a line: parts joined.
    DataOf,
    /// A part of such a line.
    TensorOf,
    /// A part of such a line.
    PipelineOf,
    /// A part of such a line.
    ContextOf,
    /// A part of such a line.
    ExpertOf,
    /// What is said to be optimistic.
    Note,
}

impl Text for PlanText {
    fn in_language(self, language: Language) -> &'static str {
        let [english, chinese] = self.texts();
        language.pick(english, chinese)
    }
}

impl PlanText {
    /// Every text, for the test that holds the two languages to the same places.
    #[cfg(test)]
    pub const ALL: &'static [PlanText] = &[
        PlanText::Asks,
        PlanText::AsksWithoutBatch,
        PlanText::JudgedOf,
        PlanText::Stopped,
        PlanText::Counted,
        PlanText::WhyFirst,
        PlanText::Less,
        PlanText::More,
        PlanText::Stages,
        PlanText::StagesOfChunks,
        PlanText::ApplyLayout,
        PlanText::OnGpus,
        PlanText::OfTokens,
        PlanText::OfMostTokens,
        PlanText::Tokens,
        PlanText::Sequences,
        PlanText::Hides,
        PlanText::HidesAlready,
        PlanText::DataOf,
        PlanText::TensorOf,
        PlanText::PipelineOf,
        PlanText::ContextOf,
        PlanText::ExpertOf,
    ];

    /// In English and in Chinese.
    fn texts(self) -> [&'static str; 2] {
        match self {
            PlanText::Asks => [
                "Tries every way to train {0} on {1} ({2}), {3} tokens a sequence and {4} sequences a step: data, tensor, \
                 pipeline, context and expert parallelism, sharding, recomputation, micro-batch. What fits is ranked by \
                 the time of a step.",
                "枚举在 {1}（{2}）上训练 {0} 的全部方案，每个序列 {3} 个词元，每步 {4} 个序列：数据、张量、流水线、上下文与专家并行，\
                 分片、重算和微批大小。放得下的按每步耗时排序。",
            ],
            PlanText::AsksWithoutBatch => [
                "Tries every way to train {0} on {1} ({2}): data, tensor, pipeline, context and expert parallelism, \
                 sharding, recomputation, micro-batch. What fits is ranked by the time of a step.",
                "枚举在 {1}（{2}）上训练 {0} 的全部方案：数据、张量、流水线、上下文与专家并行，分片、重算和微批大小。\
                 放得下的按每步耗时排序。",
            ],
            PlanText::Find => ["Find the fastest layouts", "寻找最快的方案"],
            PlanText::FindAgain => ["Search again", "重新搜索"],
            PlanText::EverySchedule => {
                ["also try the schedules ZB1P, ZBV and DualPipe", "同时尝试 ZB1P、ZBV 与 DualPipe 调度"]
            }
            PlanText::Judging => ["Layouts judged", "已评估的方案"],
            PlanText::JudgedOf => ["{0} of {1} layouts", "已评估 {0} / {1} 个方案"],
            PlanText::Stop => ["Cancel", "取消"],
            PlanText::Stopped => [
                "Cancelled after {0} of {1} layouts: the best of those.",
                "评估 {0} / {1} 个方案后已取消，以下是其中最快的。",
            ],
            PlanText::Failed => [
                "The planner could not be loaded. Try again, or reload the page.",
                "规划程序未能加载，请重试或刷新页面。",
            ],
            PlanText::Counted => [
                "{0} layouts: {1} do not divide, {2} do not fit, {3} were ruled out by a bound on their time, {4} were timed \
                 in full.",
                "共 {0} 个方案：{1} 个不能整除，{2} 个放不下，{3} 个由耗时下界排除，{4} 个完整计算了耗时。",
            ],
            PlanText::Outdated => [
                "These are the plans of an earlier question; search again for the present one.",
                "以下方案对应之前的设置；设置已变，请重新搜索。",
            ],
            PlanText::NothingFits => ["No layout fits on these GPUs.", "在这些 GPU 上，没有放得下的方案。"],
            PlanText::NothingDivides => [
                "No layout is possible: the model, the batch and the GPUs do not divide, or two settings contradict each \
                 other.",
                "没有可行的方案：模型、批大小与 GPU 数无法整除，或有设置互相矛盾。",
            ],
            PlanText::Plans => ["Layouts that fit, fastest first", "放得下的方案，按每步耗时从快到慢"],
            PlanText::WhyFirst => [
                "Why the first: a step is {0} shorter than with the second ({1}).",
                "为何第一：每步比第二名快 {0}（{1}）。",
            ],
            PlanText::WhyEqual => ["The first two take equally long.", "前两名耗时相同。"],
            PlanText::Less => ["{0} {1} less", "{0}少 {1}"],
            PlanText::More => ["{0} {1} more", "{0}多 {1}"],
            PlanText::Data => ["data", "数据"],
            PlanText::Tensor => ["tensor", "张量"],
            PlanText::Pipeline => ["pipeline", "流水线"],
            PlanText::Context => ["context", "上下文"],
            PlanText::Expert => ["expert", "专家"],
            PlanText::Sharding => ["sharding", "分片"],
            PlanText::Recompute => ["recompute", "重算"],
            PlanText::MicroBatch => ["micro-batch", "微批"],
            PlanText::Throughput => ["tokens/s/GPU", "词元/秒/GPU"],
            PlanText::Peak => ["peak", "峰值"],
            PlanText::Headroom => ["headroom", "余量"],
            PlanText::Stages => ["{0}, {1}", "{0}，{1}"],
            PlanText::StagesOfChunks => ["{0}, interleaved × {1}", "{0}，交错 × {1}"],
            PlanText::Now => ["as set", "当前设置"],
            PlanText::ApplyLayout => ["Apply: {0}", "采用：{0}"],
            PlanText::Backwards => ["The other way round", "反过来问"],
            PlanText::Searching => ["searching …", "搜索中……"],
            PlanText::FewestGpus => ["Fewest GPUs, any layout", "最少需要的 GPU（方案不限）"],
            PlanText::LongestSequence => {
                ["Longest sequence on these GPUs, any layout", "这些 GPU 上最长的序列（方案不限）"]
            }
            PlanText::LongestHere => ["Longest sequence, layout as set", "当前方案下最长的序列"],
            PlanText::LargestHere => ["Largest micro-batch, layout as set", "当前方案下最大的微批"],
            PlanText::HidingNetwork => {
                ["Network that hides the communication, layout as set", "当前方案下足以掩盖通信的网络"]
            }
            PlanText::OnGpus => ["{0}: {1}; a step takes {2}, peak {3}", "{0}：{1}；每步 {2}，峰值 {3}"],
            PlanText::OfTokens => {
                ["{0} tokens: {1}; a step takes {2}, peak {3}", "{0} 个词元：{1}；每步 {2}，峰值 {3}"]
            }
            PlanText::OfMostTokens => [
                "{0} tokens and more, the most that is tried: {1}; a step takes {2}, peak {3}",
                "至少 {0} 个词元（试到此为止）：{1}；每步 {2}，峰值 {3}",
            ],
            PlanText::Tokens => ["{0} tokens", "{0} 个词元"],
            PlanText::Sequences => ["{0} sequences", "{0} 个序列"],
            PlanText::NoNumber => [
                "none of the numbers tried is enough: 256 from the fewest that could hold the state",
                "从恰能容纳模型状态的数目起，试过的 256 个数目都不够",
            ],
            PlanText::NoSequence => ["not even 128 tokens fit", "连 128 个词元也放不下"],
            PlanText::DoesNotFit => ["it does not fit", "当前方案放不下"],
            PlanText::NoLayout => ["the layout as set is impossible", "当前方案不可行"],
            PlanText::Hides => [
                "{0} a GPU: exposed communication falls from {1} to {2} a step; what is left no bandwidth hides",
                "每块 GPU {0}：每步未掩盖的通信从 {1} 降到 {2}；剩下的部分带宽再高也掩盖不了",
            ],
            PlanText::HidesAlready => [
                "the present one: {0} a step stay exposed, and more bandwidth saves less than 1 % of a step",
                "现有网络已够：每步仍有 {0} 未掩盖，再提高带宽省不下 1 % 的时间",
            ],
            PlanText::DataOf => ["data {0}", "数据 {0}"],
            PlanText::TensorOf => ["tensor {0}", "张量 {0}"],
            PlanText::PipelineOf => ["pipeline {0}", "流水线 {0}"],
            PlanText::ContextOf => ["context {0}", "上下文 {0}"],
            PlanText::ExpertOf => ["expert {0}", "专家 {0}"],
            PlanText::Note => [
                "Times are those of the ledger: optimistic, and close layouts may change places on real machines. Layers that \
                 do not divide are spread so that the end stages hold fewer.",
                "耗时为账本的估计，偏乐观；相近的方案在真实机器上可能互换名次。层数不能整除时，由两端的阶段少放几层。",
            ],
        }
    }
}

impl Language {
    /// A part of the time of a step, within a sentence.
    pub fn term(self, term: Term) -> &'static str {
        match term {
            Term::Compute => self.pick("compute", "计算"),
            Term::Exposed => self.pick("exposed communication", "未掩盖的通信"),
            Term::Bubble => self.pick("pipeline bubble", "流水线气泡"),
            Term::Optimizer => self.say(ViewText::OptimizerStep),
        }
    }
}
