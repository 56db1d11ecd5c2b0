//! Sources of the catalogues.

pub const TITLE: &str = "该模型与该 GPU 数据的来源";
pub const ON_THEIR_WAY: &str = "正在获取……";
pub const FAILED: &str = "来源未能获取。收起再展开可重试。";
pub const SOURCE_OF: &str = "{0}：{1}";
pub const MODEL_ASSUMED: &str = "未选择已发布的模型：结构由参数量假定。";
pub const MODEL_PASTED: &str = "维度来自粘贴的 config.json。";
pub const GPU_OWN: &str = "该 GPU 的数据由当前设置给出。";
pub const COUNT_DERIVED: &str = "由维度算出：{0} 个参数。";
pub const COUNT_PUBLISHED: &str = "公布值：{0}，逐个参数一致。";
pub const COUNT_DIFFERS: &str = "公布值：{0}，相差 {1}：{2}";
pub const COUNT_ROUND: &str = "只公布了约数。{0}";
pub const UNVERIFIED: &str = "以下数据未见公开来源：{0}。";
