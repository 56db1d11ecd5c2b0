//! Why a published count differs from the derived one, in Chinese. The catalogue has it in English, in a few set phrases.

use std::borrow::Cow;

use vram_ledger::words::Language;

/// The phrases, each before those that are a part of it.
const PHRASES: [(&str, &str); 24] = [
    (
        "multi-token-prediction module with its own copies of embedding and head",
        "多词元预测模块，自带词嵌入与输出头的副本",
    ),
    (
        "multi-token-prediction layer with its own copies of embedding and head",
        "多词元预测层，自带词嵌入与输出头的副本",
    ),
    (
        "layer that predicts a further token, with its own copies of embedding and head",
        "多词元预测层，自带词嵌入与输出头的副本",
    ),
    ("layer that predicts a further token", "多词元预测层"),
    ("fp32 scales of 128 × 128 FP8 blocks", "128 × 128 FP8 分块的 FP32 缩放因子"),
    ("SigLIP vision tower", "SigLIP 视觉塔"),
    ("buffers of the vision tower", "视觉塔的缓冲区"),
    ("vision tower and projector", "视觉塔与投影层"),
    ("vision tower", "视觉塔"),
    ("vision embedder", "视觉嵌入层"),
    ("audio projection", "音频投影层"),
    ("a scalar of each layer", "每层一个标量"),
    ("projector", "投影层"),
    ("the tied head stored again", "共享的输出头另存一份"),
    ("stored rotary frequencies", "一并存储的旋转位置频率"),
    ("stored causal masks", "一并存储的因果掩码"),
    ("stored attention masks", "一并存储的注意力掩码"),
    ("corrections of the router", "路由器的校正项"),
    ("not counted there", "公布的数未计入"),
    ("unexplained", "原因不明"),
    ("no exact count was published, only 175 billion", "未公布确切数目，只称 1750 亿"),
    ("no published count was found that fits", "未找到与之相符的公布数"),
    ("one list has", "某列表写作"),
    ("layers", "层"),
];

/// A difference as the catalogue has it, in a language.
pub fn difference(language: Language, text: &'static str) -> Cow<'static, str> {
    match language {
        Language::English => text.into(),
        Language::Chinese => {
            let text = PHRASES.iter().fold(text.to_owned(), |text, (english, chinese)| text.replace(english, chinese));
            text.replace("; ", "；").replace(": ", "：").replace(", ", "，").into()
        }
    }
}

#[cfg(test)]
mod tests {
    use vram_ledger::families::model_rows;

    use super::*;

    #[test]
    fn every_difference_of_the_catalogue_is_said_in_chinese() {
        let mut said = 0;
        for row in model_rows() {
            let Some(why) = row.difference.as_deref() else { continue };
            let chinese = difference(Language::Chinese, why);
            let names = ["SigLIP", "FP8", "FP32"].iter().fold(chinese.to_string(), |text, name| text.replace(name, ""));
            assert!(!names.chars().any(|c| c.is_ascii_alphabetic()), "{}: {chinese}", row.id);
            said += 1;
        }
        assert!(said > 30, "{said}");
    }
}
