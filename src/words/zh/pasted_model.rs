//! What was made of a pasted `config.json`, and what is wrong with one.

use crate::model::{Mlp, NormKind, OwnFormat, QkNorm, Understood};
use crate::names::Name;
use crate::refusal::ModelProblem;

/// What is wrong with a model: what was given and what is allowed, without the key.
#[must_use]
pub fn refused(problem: &ModelProblem) -> String {
    match problem {
        ModelProblem::NoObject => "须为 config.json 的内容，即一个 JSON 对象".to_owned(),
        ModelProblem::Missing { most } => format!("缺少此项；须为 1 到 {most} 之间的整数"),
        ModelProblem::Range { given, least, most } => format!("给定 {given}；允许 {least} 到 {most}"),
        ModelProblem::Share { given } => format!("给定 {given}；允许 0 到 1"),
        ModelProblem::Only { allowed } => format!("目前只支持 {allowed}"),
        ModelProblem::TwoNames { given, other_key, other } => {
            format!("给定 {given}，但与它同义的 {other_key} 是 {other}；请只保留其中一项")
        }
        ModelProblem::KvHeads { kv_heads, default, heads, heads_key } => {
            let origin = if *default { "（该系列的默认值）" } else { "" };
            format!("{kv_heads}{origin} 不能整除 {heads_key} 的 {heads}；每个键值头须由同样多的查询头共用")
        }
        ModelProblem::Group { given, heads, heads_key } => format!("给定 {given}；它不能整除 {heads_key} 的 {heads}"),
        ModelProblem::HeadWidth { heads, hidden, hidden_key } => {
            format!("{heads} 不能整除 {hidden_key} 的 {hidden}，又没有 head_dim 说明头宽")
        }
        ModelProblem::NoFamily { known } => format!("缺少此项；已知的有 {known}"),
        ModelProblem::KeysOfUnknown { model_type, missing, known } => {
            format!("不认识“{model_type}”；若要按通用解码器读取，还缺少：{missing}；已知的有 {known}")
        }
        ModelProblem::OtherNorms { model_type } => {
            format!("不认识“{model_type}”，其文件没有 rms_norm_eps 而有此项，说明用的是 LayerNorm，但看不出是否带偏置")
        }
        ModelProblem::NotUnderstood { model_type } => format!("不认识“{model_type}”，无法确定此项的含义"),
        ModelProblem::UnderUnknown { model_type, problem } => {
            format!("不认识“{model_type}”，其文件中此项的值暂时无法读取：{}", super::refusals::problem(problem))
        }
        ModelProblem::UnknownName { given, known } => format!("不认识“{given}”；已知的有 {known}"),
        ModelProblem::UnknownKind { given } => format!("不认识 {given}；0 为线性注意力，1 为全注意力"),
        ModelProblem::NoWindow => "缺少此项；layer_types 中有需要它的层".to_owned(),
        ModelProblem::Entries { given, layers } => format!("给了 {given} 项，而模型有 {layers} 层；须每层一项"),
        ModelProblem::NoIndexer => "至少要有一层带索引器".to_owned(),
        ModelProblem::TooFewExperts { per_token, count, count_key } => {
            format!("给定 {per_token}；一个词元最多经过 {count_key} 的 {count} 个专家")
        }
        ModelProblem::SharedWidth { shared, width, most } => {
            format!("给定 {shared} 个，每个宽 {width}；总宽度最多 {most}")
        }
        ModelProblem::FirstDense { given, layers } => format!("给定 {given}；允许 0 到 num_hidden_layers 的 {layers}"),
        ModelProblem::NoBlocks => "缺少此项；须每层一个字母：M 状态空间，* 注意力，- MLP，E 专家".to_owned(),
        ModelProblem::NoKinds => "缺少此项；须每层一项：0 为线性注意力，1 为全注意力".to_owned(),
        ModelProblem::Blocks { layers, stated } => format!("描述了 {layers} 层，而 num_hidden_layers 是 {stated}"),
        ModelProblem::OtherGroup { given } => format!("给定 {given}；须与前面各层相同"),
        ModelProblem::Measure { given: None } => "缺少此项；须为 0 到 1000 之间的数".to_owned(),
        ModelProblem::Measure { given: Some(given) } => format!("给定 {given}；须为 0 到 1000 之间的数"),
        ModelProblem::TooLarge { parameters, most } => {
            format!("这些尺寸共有 {parameters} 个参数；最多能计算 {most} 个")
        }
    }
}

/// What was made of a file, for whoever pasted it to check.
#[must_use]
pub fn understood(understood: &Understood) -> String {
    let Understood { unknown, shape, format } = understood;
    let mut parts = vec![match unknown {
        None => shape.family.to_owned(),
        Some(model_type) => format!("不认识“{model_type}”，按类似 Llama 的解码器读取"),
    }];
    parts.push(format!("{} 层，隐藏维度 {}", shape.layers, shape.hidden));
    parts.push(match shape.latent {
        Some(latent) => format!(
            "{} 个宽 {} 的头，键和值由 {} + {} 维的向量生成",
            shape.heads, shape.head_dim, latent.rank, latent.rope
        ),
        None => format!("{} 个查询头、{} 个键值头，头宽 {}", shape.heads, shape.kv_heads, shape.head_dim),
    });
    parts.push(match (shape.experts, shape.mlp) {
        (Some(experts), _) => format!(
            "{} 层各有 {} 个宽 {} 的专家，每个词元经过 {} 个，共享专家宽 {}；{} 层有宽 {} 的稠密 MLP",
            shape.expert_layers(),
            experts.count,
            experts.width,
            experts.per_token,
            experts.shared_width,
            shape.dense_layers(),
            shape.mlp_width
        ),
        (None, Mlp::Gated) => format!("门控 MLP，宽 {}", shape.mlp_width),
        (None, Mlp::Plain) => format!("无门控 MLP，宽 {}", shape.mlp_width),
    });
    if let Some(window) = shape.window {
        parts.push(format!("{} 层有 {} 个词元的窗口", window.layers, window.tokens));
    }
    let norm = if shape.norm == NormKind::Rms { "RMSNorm" } else { "归一化层" };
    let heads = if shape.qk_norm == QkNorm::No { "头上没有" } else { "头上也有" };
    parts.push(format!("每层 {} 个 {norm}，{heads}", shape.norms_per_layer));
    let biases = [(shape.qkv_bias, "查询、键、值"), (shape.output_bias, "注意力输出"), (shape.mlp_bias, "MLP")];
    let with: Vec<&str> = biases.iter().filter(|(given, _)| *given).map(|(_, of)| *of).collect();
    parts.push(if with.is_empty() { "没有偏置".to_owned() } else { format!("偏置：{}", with.join("、")) });
    parts.push(if shape.tied_embeddings { "输出层与嵌入共用权重" } else { "输出层有自己的权重" }.to_owned());
    let made = parts.join("；");
    match format {
        None => made,
        // First, so that nobody takes the bytes below for those of the checkpoint.
        Some(format) => format!("{}{made}", own_format(format)),
    }
}

fn own_format(format: &OwnFormat) -> String {
    let mut told = format.method.as_deref().unwrap_or("未写明方法").to_owned();
    for further in &format.further {
        told += &format!("，{further}");
    }
    if let Some(bits) = format.bits {
        told += &format!("，{bits} 位");
    }
    if let Some(group) = format.group {
        told += &format!("，每组 {group} 个");
    }
    match format.matching {
        Some(format) => format!(
            "该文件自身的权重是量化的（{told}）：把 inference.weights 设为 {} 即按此计算，不设则为 bf16。",
            format.name()
        ),
        None => {
            format!("该文件自身的权重是量化的（{told}），inference.weights 没有与之完全相同的取值，不设则为 bf16。")
        }
    }
}
