//! The same model under each engine.

pub const TITLE: &str = "同一模型在各引擎下";
pub const CAPTION: &str = "单块 GPU，单位 {0}；请求数与上下文同当前设置";
pub const ENGINE_COLUMN: &str = "引擎";
pub const WEIGHTS_COLUMN: &str = "权重";
pub const POOL_COLUMN: &str = "缓存空间";
pub const WORKSPACE_COLUMN: &str = "工作区";
pub const RUNTIME_COLUMN: &str = "运行时";
pub const KEPT_COLUMN: &str = "留空";
pub const TOKENS_COLUMN: &str = "缓存词元数";
pub const MOST_COLUMN: &str = "最多请求";
pub const LONGEST_COLUMN: &str = "最长上下文";
pub const BUDGET_COLUMN: &str = "缓存可得";
pub const BUDGET_FREE: &str = "全部空闲显存";
pub const BUDGET_DEVICE: &str = "整卡的 {0} 减去权重、试运行和运行时";
pub const BUDGET_STATIC: &str = "整卡的 {0} 减去权重";
pub const BUDGET_LOADED: &str = "权重和运行时之外空闲显存的 {0}";
pub const BUDGET_REST: &str = "加载后空闲显存的 {0}";
pub const BUDGET_GIVEN: &str = "指定的字节数";
pub const TAKE_ENGINE: &str = "点击引擎名称即可采用。各引擎的显存占比含义不同，换引擎时按其自身默认值计算。";
pub const GIVEN_UP: &str = "{0} 下以下各项按其默认值：{1}。";
pub const DOES_NOT_FIT: &str = "放不下";
