//! Logs of engines: predicted against pasted.

use crate::answer::LogFigure;

pub const TITLE: &str = "引擎的日志：预测与实际";
pub const PREDICTED: &str = "按当前设置，{0} 会打印：";
pub const OF_OTHER: &str = "{0} 不打印这类信息。若使用 {1} 则为：";
pub const WOULD_STOP: &str = "它会在此报错退出：连一个 {0} 词元的请求也放不下。";
pub const PASTE_LOG: &str = "粘贴某个引擎的启动日志（只留在本浏览器中）：{0}";
pub const UNKNOWN_LOG: &str = "这段文字中没有可识别的行。会识别的内容如下（可在一行中任意位置）：";
pub const IMPOSSIBLE_LOG: &str = "这是 {0} 的日志，但当前设置在其下不成立：{1}";
pub const CAPTION: &str = "预测与日志：{0}，单块 GPU";
pub const FIGURE_COLUMN: &str = "项目";
pub const PREDICTED_COLUMN: &str = "预测";
pub const LOGGED_COLUMN: &str = "日志";
pub const DIFFERENCE_COLUMN: &str = "差异";
pub const TOOK_ENGINE: &str = "日志来自 {0}，因此按 {0} 预测。";
pub const TOOK_CONTEXT: &str = "日志中每个请求为 {0} 个词元（设置为 {1}），因此按此预测。";
pub const TOOK_SLOTS: &str = "日志中有 {0} 个槽（设置为同时 {1} 个请求），因此按此预测。";
pub const TOOK_DEVICES: &str = "日志中有 {0} 个设备存放权重（此处一份模型用 {1} 个），因此按前者切分预测。";
pub const TOOK_FRACTION: &str = "日志的显存占比为 {0}（此处为 {1}），因此采用前者。";
pub const TAKE_THESE: &str = "把这些写入当前设置";
pub const WHY_SAME: &str = "一致，精确到打印的最后一位";
pub const WHY_CLOSE: &str = "相差不到 2%";
pub const WHY_NOT_PREDICTED: &str = "账本不预测此项";
pub const WHY_WEIGHT_FORMAT: &str = "与 {0} 的大小相符：实际格式不同";
pub const WHY_RANKS: &str = "与 {0} 路张量并行的大小相符：切分不同";
pub const WHY_MORE_LOADED: &str = "加载的不止语言模型：可能有视觉塔、多词元预测层或草稿模型";
pub const WHY_LESS_LOADED: &str = "加载得更少：格式不在账本内，或部分层、专家在别处";
pub const WHY_CACHE_FORMAT: &str = "每词元大小与 {0} 相符：缓存格式不同";
pub const WHY_CELLS: &str = "单元数为 {0} 倍：上下文或槽数不同，或窗口层按全长缓存";
pub const WHY_FOLLOWS: &str = "由“{0}”决定";
pub const WHY_PART: &str = "“{0}”造成 {1}";
pub const WHY_REST: &str = "其余 {0} 来自日志未列出的部分：工作区与分配器之外的显存";
pub const WHY_SEQUENCES: &str = "与批次最多 {0} 个序列时相符";
pub const WHY_WIDE_RANGE: &str = "预测值取自较宽范围的中间";
pub const WHY_OTHER_DEVICE: &str = "显卡不同，或驱动占用不同";

/// What a line of a log states.
pub fn log_figure(figure: LogFigure) -> &'static str {
    match figure {
        LogFigure::Device => "GPU 显存",
        LogFigure::Fraction => "显存占比",
        LogFigure::Weights => "权重",
        LogFigure::HostWeights => "主机内存中的权重",
        LogFigure::Workspace => "工作区",
        LogFigure::Outside => "分配器之外",
        LogFigure::Graphs => "捕获的计算图",
        LogFigure::Pool => "键值缓存",
        LogFigure::States => "循环状态",
        LogFigure::Tokens => "缓存词元数",
        LogFigure::Blocks => "缓存块数",
        LogFigure::Cells => "缓存单元数",
        LogFigure::Context => "每个请求的词元数",
        LogFigure::Slots => "槽数",
        LogFigure::Requests => "同时请求数",
    }
}
