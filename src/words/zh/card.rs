//! The card: what one GPU holds for serving and for training.

use crate::answer::Half;

pub const BOTH_LEDGERS: &str = "单块 GPU 的显存账";
pub const INFERENCE: &str = "推理";
pub const TRAINING: &str = "训练";
pub const BAR_OF: &str = "{0}：各科目显存";
pub const GPU_SHOWS: &str = "一块 {0} 可用 {1}";
pub const PER_GPU: &str = "每块 GPU";
pub const FITS: &str = "一块 {0} 放得下，余 {1}";
pub const ROOM_FOR_CACHE: &str = "缓存可容 {0} 个词元";
pub const TOO_MUCH: &str = "超出一块 {1} {0}";
pub const GAP_LINE: &str =
    "激活尚未计入，每块 GPU 上训练已占 {0}，推理的权重只占 {1}。不分片时，每个参数 {2} 字节对 {3} 字节：×{4}。";
pub const INTEGERS_HOLD_NO_UPDATES: &str =
    "训练仍按 BF16 混合精度计：整数格式存不下微小的更新。（QLoRA 的做法是冻结 4 位权重，只训练旁挂的小适配器。）";
pub const THREE_SIZES: &str =
    "张量实占 {0}（active），分配器保留 {1}（reserved），设备显示占用 {2}（used）；该框架实测范围：{3} 至 {4}。";

/// A half of the question.
pub fn half(half: Half) -> &'static str {
    match half {
        Half::Training => TRAINING,
        Half::Inference => INFERENCE,
    }
}
