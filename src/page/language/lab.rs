//! The texts of the views with curves: Scaling and the precision lab.

use vram_ledger::names::Sharding;

use super::{Language, fill};

/// A text. `{0}`, `{1}` … stand for what [`Language::fill_lab`] puts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabText {
    /// In place of a curve that could not be loaded.
    CurveMissing,

    /// Above the curve of state.
    StateCurve,
    /// Along it: the unit.
    StateAxis,
    /// What the curve of state shows; how it is shared out, and points of it.
    StateWords,
    /// What to learn from it.
    StateLesson,
    /// The line of capacity: GPU and amount.
    Capacity,
    /// The point of the question: amount.
    Now,
    /// A point in words: amount, GPUs.
    AmountOn,
    /// Between points in words.
    Comma,
    /// Above the curve of waiting.
    WaitingCurve,
    /// What the curve of waiting shows: its points.
    WaitingWords,
    /// Above the columns by what is shared out: state on a GPU.
    StateBySharding,
    /// Numbers of GPUs that are left out, and why.
    LeftOut,
    /// No number of GPUs works.
    NoTraining,

    /// The experiment's weight.
    Weight,
    /// What is added each time.
    Update,
    /// How often.
    Additions,
    /// The format of the weight.
    Format,
    /// How sums are rounded.
    Rounding,
    /// To nearest, ties to even.
    NearestEven,
    /// Towards zero.
    Truncation,
    /// The switch of the master copy.
    MasterCopy,
    /// Above the experiment's settings.
    Experiment,
    /// Above the bits at the start: format, value.
    BitsBefore,
    /// Above the bits at the end: additions, value.
    BitsAfter,
    /// The field of the sign.
    Sign,
    /// The field of the exponent.
    Exponent,
    /// The field of the mantissa.
    Mantissa,
    /// The gap above the stored weight.
    Gap,
    /// There is none above the largest number.
    NoGap,
    /// An update below half of the gap.
    LostBelowHalf,
    /// An update of exactly half of the gap.
    LostToTie,
    /// An update below the gap, cut off.
    LostToTruncation,
    /// An update that fp32 holds as zero.
    LostInFp32,
    /// An update that arrives whole.
    KeptExactly,
    /// A sum that is rounded to nearest.
    KeptRounded,
    /// A sum that is cut off.
    KeptTruncated,
    /// A sum beyond the format.
    Overflow,
    /// What the master copy makes of the update.
    CopyKeeps,
    /// The master copy loses it as well.
    CopyLoses,
    /// It moved for a while.
    StuckAfter,
    /// What no rounding would reach.
    Exact,
    /// Caption of the results: additions, update, weight.
    Results,
    /// Column of the gap at the start.
    GapColumn,
    /// Column of results without a copy, rounded to nearest.
    NearestColumn,
    /// Column of results without a copy, truncated.
    TruncationColumn,
    /// Column of results with a copy.
    CopyColumn,
    /// A weight that the format of a row cannot hold.
    BeyondRange,
    /// Above the curve.
    WeightCurve,
    /// What the curve shows: additions, format, values without and with a copy.
    WeightWords,
    /// Legend: the format alone.
    Alone,
    /// Legend: rounded from the copy.
    FromCopy,
    /// Legend: no rounding.
    ExactLine,
    /// A refusal: field, given, allowed.
    NotANumber,
    /// A refusal: field, given, allowed.
    Refused,
    /// What may be typed as a number.
    SuchNumbers,
    /// A range by a format: its largest number, its name.
    FiniteIn,
    /// A range of whole numbers: the most.
    WholeUpTo,
}

impl LabText {
    /// In English and in Chinese.
    fn texts(self) -> [&'static str; 2] {
        match self {
            LabText::CurveMissing => {
                ["The curve could not be loaded; the table has the same numbers.", "曲线未能加载；表中是同样的数字。"]
            }

            LabText::StateCurve => [
                "State on one GPU: weights, gradients, optimiser state",
                "单块 GPU 上的模型状态：权重、梯度、优化器状态",
            ],
            LabText::StateAxis => ["{0} on a GPU", "每块 GPU，单位 {0}"],
            LabText::StateWords => [
                "Curves on logarithmic axes: state on one GPU, on 1 to 4,096 GPUs. As chosen ({0}): {1}.",
                "对数坐标曲线：GPU 数从 1 到 4,096 时，单块 GPU 上的模型状态。当前方案（{0}）：{1}。",
            ],
            LabText::StateLesson => [
                "What is shared out shrinks with every GPU that joins; what is not stays whole on each of them.",
                "分片的部分随 GPU 增多而变小；不分片的部分在每块 GPU 上都是完整的一份。",
            ],
            LabText::Capacity => ["one {0} shows {1}", "一块 {0} 可用 {1}"],
            LabText::Now => ["now: {0}", "当前：{0}"],
            LabText::AmountOn => ["{0} on {1}", "{1} 块时 {0}"],
            LabText::Comma => [", ", "、"],
            LabText::WaitingCurve => ["Share of a step in which GPUs wait for the network", "每步中等待网络的时间占比"],
            LabText::WaitingWords => [
                "Curve: the share of a step that waits for the network, on 1 to 4,096 GPUs: {0}.",
                "曲线：GPU 数从 1 到 4,096 时，每步中等待网络的时间占比：{0}。",
            ],
            LabText::StateBySharding => ["{0}, sharing out", "{0}，按分片方式"],
            LabText::LeftOut => {
                ["Left out, as this cannot be trained on them: {0} GPUs.", "以下 GPU 数无法按此训练，未列出：{0}。"]
            }
            LabText::NoTraining => {
                ["With these settings there is no number of GPUs to train on.", "按当前设置，任何 GPU 数都无法训练。"]
            }

            LabText::Weight => ["Weight", "权重"],
            LabText::Update => ["Update, added each time", "每次加上的更新量"],
            LabText::Additions => ["Number of additions", "累加次数"],
            LabText::Format => ["Format of the weight", "权重格式"],
            LabText::Rounding => ["Rounding", "舍入方式"],
            LabText::NearestEven => ["to nearest, ties to even", "舍入到最近，居中取偶"],
            LabText::Truncation => ["truncation: cut off the rest", "截断：舍去多余的位"],
            LabText::MasterCopy => ["an FP32 master copy takes the updates", "更新累加在 FP32 主权重上"],
            LabText::Experiment => ["Add a small update to a weight, many times", "把一个小更新反复加到权重上"],
            LabText::BitsBefore => ["As {0} stores it: {1}", "{0} 中存成：{1}"],
            LabText::BitsAfter => ["After {0} additions: {1}", "累加 {0} 次后：{1}"],
            LabText::Sign => ["sign", "符号"],
            LabText::Exponent => ["exponent", "指数"],
            LabText::Mantissa => ["mantissa", "尾数"],
            LabText::Gap => ["Gap to the next number: {0}", "到下一个可表示数的间隔：{0}"],
            LabText::NoGap => ["This is the largest number of {0}.", "这已是 {0} 的最大数。"],
            LabText::LostBelowHalf => [
                "{0} stays {1}: the update is less than half of the gap {2}.",
                "{0} 仍是 {1}：更新量不到间隔 {2} 的一半。",
            ],
            LabText::LostToTie => [
                "{0} stays {1}: the update is exactly half of the gap {2}, and a tie goes to the even neighbour.",
                "{0} 仍是 {1}：更新量恰为间隔 {2} 的一半，居中时取末位为偶的一侧。",
            ],
            LabText::LostToTruncation => [
                "{0} stays {1}: the update does not fill the gap {2}, and truncation cuts it off.",
                "{0} 仍是 {1}：更新量填不满间隔 {2}，被截断舍去。",
            ],
            LabText::LostInFp32 => [
                "{0} stays {1}: so small an update is 0 even in FP32.",
                "{0} 仍是 {1}：这样小的更新量在 FP32 中也只是 0。",
            ],
            LabText::KeptExactly => ["{0} becomes {1}, exactly.", "{0} 得到 {1}，没有误差。"],
            LabText::KeptRounded => {
                ["{0} becomes {1}, the nearest number that {2} has.", "{0} 得到 {1}，这是 {2} 中最近的数。"]
            }
            LabText::KeptTruncated => {
                ["{0} becomes {1}: what {2} cannot hold is cut off.", "{0} 得到 {1}：{2} 存不下的部分被截去。"]
            }
            LabText::Overflow => ["{0} becomes {1}: beyond the range of {2}.", "{0} 得到 {1}：超出 {2} 的范围。"],
            LabText::CopyKeeps => [
                "The FP32 copy keeps it: {0}. {1} stores this copy rounded: {2}.",
                "FP32 主权重记下了它：{0}；{1} 中存的是它舍入后的值：{2}。",
            ],
            LabText::CopyLoses => ["The FP32 copy stays {0} as well.", "FP32 主权重也仍是 {0}。"],
            LabText::StuckAfter => [
                "After {0} additions it stops at {1}: the gap has grown too wide.",
                "累加 {0} 次后停在 {1}：间隔已经太宽。",
            ],
            LabText::Exact => ["Exact arithmetic reaches {0}.", "精确计算应得 {0}。"],
            LabText::Results => ["After {0} additions of {1} to {2}", "{2} 累加 {0} 次 {1} 之后"],
            LabText::GapColumn => ["gap at the start", "起点处的间隔"],
            LabText::NearestColumn => ["rounded to nearest", "舍入到最近"],
            LabText::TruncationColumn => ["truncated", "截断"],
            LabText::CopyColumn => ["from an FP32 copy", "由 FP32 主权重舍入"],
            LabText::BeyondRange => ["beyond its range", "超出范围"],
            LabText::WeightCurve => ["The weight over the additions", "权重随累加次数的变化"],
            LabText::WeightWords => [
                "Curves: the weight over {0} additions. {1} alone ends at {2}; with an FP32 copy it ends at {3}.",
                "曲线：权重随 {0} 次累加的变化。仅用 {1} 时最后是 {2}；另有 FP32 主权重时最后是 {3}。",
            ],
            LabText::Alone => ["{0} alone", "仅用 {0}"],
            LabText::FromCopy => ["{0}, rounded from an FP32 copy", "{0}，由 FP32 主权重舍入"],
            LabText::ExactLine => ["exact arithmetic", "精确计算"],
            LabText::NotANumber => ["{0}: “{1}” is not a number; allowed: {2}", "{0}：“{1}”不是数字；可写作：{2}"],
            LabText::Refused => ["{0}: {1} was given; allowed: {2}", "{0}：给定 {1}；允许：{2}"],
            LabText::SuchNumbers => ["0.0001, 1e-4, −2.5", "0.0001、1e-4、−2.5"],
            LabText::FiniteIn => ["−{0} to {0}, the range of {1}", "−{0} 到 {0}，即 {1} 的范围"],
            LabText::WholeUpTo => ["whole numbers from 1 to {0}", "1 到 {0} 之间的整数"],
        }
    }
}

impl Language {
    /// A text of these views.
    pub fn lab(self, text: LabText) -> &'static str {
        let [english, chinese] = text.texts();
        self.pick(english, chinese)
    }

    /// A text of these views with `parts` in the places of `{0}`, `{1}` …
    pub fn fill_lab(self, text: LabText, parts: &[&str]) -> String {
        fill(self.lab(text), parts)
    }

    /// What is shared out, in a word, for the head of a column.
    pub fn sharding_in_short(self, sharding: Sharding) -> &'static str {
        match sharding {
            Sharding::None => self.pick("nothing", "不分片"),
            Sharding::Zero1 => "ZeRO-1",
            Sharding::Zero2 => "ZeRO-2",
            Sharding::Zero3 => "ZeRO-3",
            Sharding::Hsdp => "HSDP",
        }
    }
}
