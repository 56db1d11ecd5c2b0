//! Choosing a model.

pub const MODEL: &str = "模型";
pub const ASSUMED_SHAPE: &str = "假定结构：{0}";
pub const DECODER_OF: &str = "{0} 解码器";
pub const DECODER_OF_ANY_SIZE: &str = "任意规模的解码器，结构为假定";
pub const PASTED_CONFIG: &str = "粘贴 config.json……";
pub const PASTED_CONFIG_OF: &str = "粘贴的 config.json（{0}）";
pub const SHAPE: &str = "{0} 层 × {1}，{2} 个注意力头，{3} 个键值头";
pub const CONFIG_JSON: &str = "config.json";
pub const PASTE_HERE: &str = "Hugging Face config.json 的内容（只留在本浏览器中）";
pub const USE_THIS_MODEL: &str = "使用该模型";
pub const CANCEL: &str = "取消";
pub const SEARCH: &str = "输入名称或 ID 搜索模型";
pub const FOUND: &str = "{0} 个模型";
pub const NO_MODEL: &str = "没有这样的模型。可用滑块设定任意规模，或粘贴 config.json。";
pub const OTHER_CHOICES: &str = "列表之外";
