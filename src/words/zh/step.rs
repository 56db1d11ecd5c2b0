//! How long a step takes.

pub const ONE_STEP: &str = "每步耗时";
pub const ON_GPUS_WAITS: &str = "（{0}），其中等待网络";
pub const COMPUTE: &str = "计算";
pub const WAITING: &str = "等待网络";
pub const BUBBLE: &str = "流水线气泡";
pub const OPTIMIZER_STEP: &str = "优化器更新";
pub const BAND: &str = "每步 {0}；实测中最长可达 {1}。估算不包含慢节点、数据加载和故障，因此只会偏快。";
pub const OTHER_VIEW: &str = "若按另一种节点网络口径（{0}），同一步需要 {1}，等待占 {2}。";
pub const TWO_VIEWS: &str = "沿环传输一个张量时，数据会同时经节点的所有网卡送出：FSDP 和 NCCL 的实测即如此（多轨）。若只能用一张网卡，如旧集群，或每个节点只有一块 GPU 参与，则相应变慢（单卡）。实际介于两者之间。";
