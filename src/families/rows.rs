//! The families, a row each. A family that needs code of its own has its row in the file of that name.

use super::deepseek::{DEEPSEEK, DEEPSEEK_MIXTURE, DEEPSEEK_V2, DEEPSEEK_V3, DEEPSEEK_V32, GLM_DSA};
use super::falcon::FALCON;
use super::gemma4::GEMMA4;
use super::laguna::LAGUNA;
use super::layers::window;
use super::llama4::LLAMA4;
use super::mamba::{FALCON_MAMBA, MAMBA};
use super::minimax::{MINIMAX, MINIMAX_M2};
use super::mixture::{dense_between, first_dense};
use super::nemotron_h::NEMOTRON_H;
use super::nemotron_nas::NEMOTRON_NAS;
use super::qwen3_next::{QWEN3_5, QWEN3_5_MOE, QWEN3_NEXT};
use super::row::{
    DECODER, Dense, ExpertWidth, Family, GPT, LearnedPositions, MIXTURE, Mixture, NO, Shared, Uncounted, Width,
    Windows, YES, kv_heads_or, number,
};
use super::{dimension, limit};
use crate::model::{KeptSize, Layers, Mlp, NormKind, QkNorm, Role};

/// Every known family, in the order a list shows them.
pub static FAMILIES: &[Family] = &[
    Family { name: "Llama", model_types: &["llama"], mlp_bias: |keys| keys.mlp_bias == Some(true), ..DECODER },
    // Llama's tensors, a sliding window over every layer in its first release.
    MISTRAL,
    Family { name: "Mixtral", model_types: &["mixtral"], mixture: Some(MIXTURE), ..MISTRAL },
    // The language models of Qwen-VL have the tensors of Qwen; what is around them has a name of its own.
    Family {
        name: "Qwen2",
        model_types: &["qwen2", "qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text"],
        kv_heads: kv_heads_or(32),
        windows: Windows::Switched,
        qkv_bias: YES,
        output_bias: NO,
        ..DECODER
    },
    Family {
        name: "Qwen3",
        model_types: &["qwen3", "qwen3_vl_text", "qwen3_vl"],
        kv_heads: kv_heads_or(32),
        head_dim: Some(128),
        qk_norm: |_| QkNorm::Head,
        windows: Windows::Switched,
        ..DECODER
    },
    Family {
        name: "Gemma",
        model_types: &["gemma"],
        tied: true,
        kv_heads: kv_heads_or(16),
        head_dim: Some(256),
        ..DECODER
    },
    Family {
        name: "Gemma 2",
        model_types: &["gemma2"],
        tied: true,
        kv_heads: kv_heads_or(4),
        head_dim: Some(256),
        norms: |_| 4,
        windows: Windows::Alternating { every: 2 },
        ..DECODER
    },
    // The language models inside Gemma 3 checkpoints leave out what their class already says.
    Family {
        name: "Gemma 3",
        model_types: &["gemma3_text", "gemma3"],
        tied: true,
        vocabulary: number!(vocab_size or 262_208),
        positions: Some(number!(max_position_embeddings or 131_072)),
        heads: number!(num_attention_heads or 8),
        kv_heads: kv_heads_or(4),
        head_dim: Some(256),
        norms: |_| 4,
        qk_norm: |_| QkNorm::Head,
        windows: Windows::Alternating { every: 6 },
        ..DECODER
    },
    // Fused projections: the same tensors, counted apart.
    Family { name: "Phi-3", model_types: &["phi3"], windows: Windows::All, qkv_bias: NO, output_bias: NO, ..DECODER },
    // Also GPT-3 and Megatron's GPT.
    Family {
        name: "GPT-2",
        model_types: &["gpt2"],
        own_keys: &["n_embd", "n_inner"],
        layers: number!(n_layer = num_hidden_layers),
        hidden: number!("n_embd" = hidden_size),
        heads: number!(n_head = num_attention_heads),
        mlp_width: Width::OrHidden(number!("n_inner" = intermediate_size), 4),
        positions: Some(number!(n_positions = max_position_embeddings)),
        learned_positions: Some(LearnedPositions { missing: None, before: 0 }),
        rotated: |_| 0.0,
        tied: true,
        qkv_bias: YES,
        output_bias: YES,
        mlp_bias: YES,
        ..GPT
    },
    Family {
        name: "GPT-NeoX",
        model_types: &["gpt_neox"],
        rotated: |_| 0.25,
        parallel_residual: |keys| keys.use_parallel_residual != Some(false),
        qkv_bias: |keys| keys.attention_bias != Some(false),
        output_bias: |keys| keys.attention_bias != Some(false),
        mlp_bias: YES,
        ..GPT
    },
    Family {
        name: "Qwen2 MoE",
        model_types: &["qwen2_moe"],
        kv_heads: kv_heads_or(16),
        windows: Windows::Switched,
        mixture: Some(Mixture {
            count: number!(num_experts),
            width: ExpertWidth::Given(number!(moe_intermediate_size)),
            shared: Shared::Width { width: number!(shared_expert_intermediate_size or 5632), gate: true },
            dense: Dense::Layers(dense_between),
            ..MIXTURE
        }),
        qkv_bias: YES,
        output_bias: NO,
        ..DECODER
    },
    Family {
        name: "Qwen3 MoE",
        model_types: &["qwen3_moe", "qwen3_vl_moe_text", "qwen3_vl_moe"],
        kv_heads: kv_heads_or(4),
        qk_norm: |_| QkNorm::Head,
        windows: Windows::Switched,
        mixture: Some(Mixture {
            count: number!(num_experts),
            width: ExpertWidth::Given(number!(moe_intermediate_size)),
            dense: Dense::Layers(dense_between),
            ..MIXTURE
        }),
        ..DECODER
    },
    DEEPSEEK_V2,
    DEEPSEEK_V3,
    // Experts, router and predicting layers as in DeepSeek-V3.
    Family {
        name: "GLM-4 MoE",
        model_types: &["glm4_moe"],
        kv_heads: kv_heads_or(8),
        rotated: |_| 0.5,
        qk_norm: |keys| if keys.use_qk_norm.or(keys.qk_layernorm) == Some(true) { QkNorm::Head } else { QkNorm::No },
        mixture: Some(Mixture {
            shared: Shared::Experts(number!(n_shared_experts or 1)),
            router_bias: YES,
            dense: Dense::Layers(|keys, layers| first_dense(keys, layers, 1)),
            ..DEEPSEEK_MIXTURE
        }),
        output_bias: NO,
        predicts: true,
        ..DECODER
    },
    // Norms behind attention and MLP, and over all queries and all keys together.
    Family { name: "OLMo 2", model_types: &["olmo2"], qk_norm: |_| QkNorm::All, ..DECODER },
    Family {
        name: "OLMoE",
        model_types: &["olmoe"],
        qk_norm: |_| QkNorm::All,
        mixture: Some(Mixture { count: number!(num_experts), ..MIXTURE }),
        ..DECODER
    },
    // Llama's tensors, scaled.
    Family { name: "Granite", model_types: &["granite"], mlp_bias: |keys| keys.mlp_bias == Some(true), ..DECODER },
    Family {
        name: "StarCoder2",
        model_types: &["starcoder2"],
        tied: true,
        kv_heads: kv_heads_or(2),
        windows: Windows::All,
        qkv_bias: |keys| keys.use_bias != Some(false),
        output_bias: |keys| keys.use_bias != Some(false),
        mlp_bias: |keys| keys.use_bias != Some(false),
        ..GPT
    },
    Family {
        name: "gpt-oss",
        model_types: &["gpt_oss"],
        kv_heads: kv_heads_or(8),
        head_dim: Some(64),
        windows: Windows::Alternating { every: 2 },
        sinks: true,
        mixture: Some(Mixture { router_bias: YES, ..MIXTURE }),
        qkv_bias: YES,
        output_bias: YES,
        mlp_bias: YES,
        ..DECODER
    },
    DEEPSEEK,
    Family {
        name: "OLMo 3",
        model_types: &["olmo3"],
        qk_norm: |_| QkNorm::All,
        windows: Windows::Alternating { every: 4 },
        ..DECODER
    },
    Family {
        name: "OPT",
        model_types: &["opt"],
        own_keys: &["ffn_dim"],
        mlp_width: Width::Given(number!("ffn_dim")),
        // Two rows stand before the first position.
        learned_positions: Some(LearnedPositions { missing: Some(2048), before: 2 }),
        rotated: |_| 0.0,
        tied: true,
        qkv_bias: YES,
        output_bias: YES,
        mlp_bias: YES,
        uncounted: &[
            Uncounted {
                key: "do_layer_norm_before",
                asked: |keys, _| keys.do_layer_norm_before == Some(false),
                allowed: "true",
            },
            Uncounted {
                key: "word_embed_proj_dim",
                asked: |keys, hidden| keys.word_embed_proj_dim.is_some_and(|width| width != hidden),
                allowed: "hidden_size",
            },
        ],
        ..GPT
    },
    COMMAND_R,
    QWEN3_NEXT,
    QWEN3_5,
    QWEN3_5_MOE,
    GEMMA4,
    LAGUNA,
    LLAMA4,
    // Attention beside the MLP behind one norm.
    Family {
        name: "Phi",
        model_types: &["phi"],
        norms: |_| 1,
        rotated: |_| 0.5,
        parallel_residual: YES,
        qk_norm: |keys| if keys.use_qk_norm.or(keys.qk_layernorm) == Some(true) { QkNorm::Head } else { QkNorm::No },
        qkv_bias: YES,
        output_bias: YES,
        mlp_bias: YES,
        head_bias: YES,
        // Biases of the norms on heads.
        further: |keys, _, list| {
            if keys.use_qk_norm.or(keys.qk_layernorm) == Some(true) {
                list.each(Role::HeadNorm, Layers::Attention, [list.shape.head_dim, 1], 2);
            }
            Ok(())
        },
        ..GPT
    },
    Family {
        name: "Phi-3.5 MoE",
        model_types: &["phimoe"],
        norm: NormKind::LayerNorm,
        kv_heads: kv_heads_or(8),
        windows: Windows::All,
        mixture: Some(Mixture {
            count: number!(num_local_experts or 16),
            per_token: number!(num_experts_per_tok or 2),
            ..MIXTURE
        }),
        head_bias: |keys| keys.lm_head_bias == Some(true),
        ..DECODER
    },
    DEEPSEEK_V32,
    GLM_DSA,
    Family { name: "OLMo", model_types: &["olmo"], norm: NormKind::Bare, ..DECODER },
    // Fused projections. Its class has biases unless the file says otherwise; every published file since the second
    // version does.
    Family {
        name: "InternLM2",
        model_types: &["internlm2"],
        qkv_bias: |keys| keys.bias != Some(false),
        output_bias: |keys| keys.bias != Some(false),
        ..DECODER
    },
    Family {
        name: "InternLM3",
        model_types: &["internlm3"],
        kv_heads: kv_heads_or(2),
        qkv_bias: |keys| keys.qkv_bias == Some(true),
        output_bias: |keys| keys.bias == Some(true),
        mlp_bias: |keys| keys.bias == Some(true),
        ..DECODER
    },
    FALCON,
    // Positions as a slope of the scores.
    Family {
        name: "BLOOM",
        model_types: &["bloom"],
        own_keys: &["seq_length"],
        layers: number!(n_layer = num_hidden_layers),
        hidden: number!(n_embed = hidden_size),
        heads: number!(n_head = num_attention_heads),
        mlp_width: Width::Hidden(4),
        positions: Some(number!("seq_length", max_position_embeddings)),
        rotated: |_| 0.0,
        tied: true,
        embedding_norm: true,
        qkv_bias: YES,
        output_bias: YES,
        mlp_bias: YES,
        ..GPT
    },
    MAMBA,
    FALCON_MAMBA,
    NEMOTRON_H,
    NEMOTRON_NAS,
    Family {
        name: "Command R7B and A",
        model_types: &["cohere2"],
        windows: Windows::Alternating { every: 4 },
        qk_norm: |_| QkNorm::No,
        ..COMMAND_R
    },
    Family {
        name: "Apertus",
        model_types: &["apertus"],
        mlp: |_| Mlp::Plain,
        qk_norm: |_| QkNorm::Head,
        // How steep the activation is on either side of zero.
        further: |keys, _, list| {
            if keys.hidden_act.as_deref().is_none_or(|activation| activation == "xielu") {
                list.each(Role::Norm, Layers::Every, [1, 1], 2);
            }
            Ok(())
        },
        ..DECODER
    },
    Family {
        name: "Arcee",
        model_types: &["arcee"],
        mlp: |_| Mlp::Plain,
        mlp_bias: |keys| keys.mlp_bias == Some(true),
        ..DECODER
    },
    Family {
        name: "Nemotron",
        model_types: &["nemotron"],
        rotated: |_| 0.5,
        mlp_bias: |keys| keys.mlp_bias == Some(true),
        ..GPT
    },
    // A norm before attention, before its output projection and before the MLP; that inside the MLP has another width.
    Family {
        name: "BitNet",
        model_types: &["bitnet"],
        norms: |_| 3,
        further: |_, _, list| {
            list.each(Role::Norm, Layers::Every, [list.shape.mlp_width, 1], 1);
            list.keep(KeptSize::Norm, Layers::Every, list.shape.mlp_width);
            Ok(())
        },
        ..DECODER
    },
    GLM,
    // Norms behind attention and MLP as well as before them.
    Family { name: "GLM-4", model_types: &["glm4"], norms: |_| 4, ..GLM },
    Family {
        name: "StableLM",
        model_types: &["stablelm", "stablelm_epoch"],
        norm: NormKind::LayerNorm,
        rotated: |_| 0.25,
        norms: |keys| if keys.use_parallel_residual == Some(true) { 1 } else { 2 },
        parallel_residual: |keys| keys.use_parallel_residual == Some(true),
        // Over each head, but with weights of its own for every one.
        qk_norm: |keys| if keys.use_qk_norm.or(keys.qk_layernorm) == Some(true) { QkNorm::All } else { QkNorm::No },
        qkv_bias: |keys| keys.use_qkv_bias == Some(true),
        output_bias: NO,
        ..DECODER
    },
    Family {
        name: "Seed-OSS",
        model_types: &["seed_oss"],
        kv_heads: kv_heads_or(8),
        head_dim: Some(128),
        qkv_bias: |keys| keys.attention_bias != Some(false),
        output_bias: |keys| keys.attention_out_bias == Some(true),
        mlp_bias: |keys| keys.mlp_bias == Some(true),
        ..DECODER
    },
    // Norms behind attention and MLP; three windowed layers to each full one in the larger one.
    Family {
        name: "EXAONE 4",
        model_types: &["exaone4"],
        qk_norm: |_| QkNorm::Head,
        windows: Windows::Told,
        qkv_bias: NO,
        output_bias: NO,
        ..DECODER
    },
    // Qwen3's attention with the mixture of DeepSeek-V3.
    Family {
        name: "dots.llm1",
        model_types: &["dots1"],
        qk_norm: |_| QkNorm::Head,
        mixture: Some(Mixture { router_bias: YES, ..DEEPSEEK_MIXTURE }),
        ..DECODER
    },
    Family { name: "Hunyuan", model_types: &["hunyuan_v1_dense"], qk_norm: |_| QkNorm::Head, ..DECODER },
    Family {
        name: "Hunyuan MoE",
        model_types: &["hunyuan_v1_moe"],
        qk_norm: |_| QkNorm::Head,
        mixture: Some(Mixture {
            count: number!(num_experts),
            per_token: number!(moe_topk),
            width: ExpertWidth::OrOfMlp(number!(moe_intermediate_size)),
            // Its class always has one; the model's own files say so too.
            shared: Shared::Experts(number!(num_shared_expert or 1)),
            ..DEEPSEEK_MIXTURE
        }),
        ..DECODER
    },
    MINIMAX,
    MINIMAX_M2,
    // Llama's tensors. Every fourth layer does not rotate its heads; those have a window where the file switches one on.
    Family {
        name: "SmolLM3",
        model_types: &["smollm3"],
        tied: true,
        kv_heads: kv_heads_or(4),
        windows: Windows::By(|keys, layers| match (keys.use_sliding_window, keys.sliding_window) {
            (Some(true), Some(tokens)) => window("sliding_window", tokens, false, &|| {
                keys.named_layers(layers, "sliding_attention")
                    .unwrap_or_else(|| keys.rotating_layers(layers).map(|rotating| layers - rotating))
            }),
            (None | Some(_), _) => Ok(None),
        }),
        mlp_bias: |keys| keys.mlp_bias == Some(true),
        ..DECODER
    },
    Family {
        name: "ERNIE 4.5 MoE",
        model_types: &["ernie4_5_moe"],
        own_keys: &[
            "moe_num_experts",
            "moe_k",
            "moe_num_shared_experts",
            "moe_layer_start_index",
            "moe_layer_end_index",
            "moe_layer_interval",
        ],
        tied: true,
        kv_heads: kv_heads_or(4),
        mixture: Some(Mixture {
            count: number!("moe_num_experts" or 64),
            per_token: number!("moe_k" or 6),
            width: ExpertWidth::Given(number!(moe_intermediate_size or 1536)),
            shared: Shared::Experts(number!("moe_num_shared_experts" or 2)),
            router_bias: YES,
            dense: Dense::Layers(|keys, layers| {
                let first = keys.own("moe_layer_start_index")?.unwrap_or(1);
                // -1 is the last layer.
                let last: Option<f64> = keys.own("moe_layer_end_index")?;
                let last = last.filter(|last| *last >= 0.0).map_or(layers, |last| last as u64);
                let every = keys.own("moe_layer_interval")?.unwrap_or(1);
                let every = dimension("moe_layer_interval", Some(every), limit::LAYERS)?;
                let experts = |index| (first..=last).contains(&index) && (index + 1).is_multiple_of(every);
                Ok((0..layers).map(|index| !experts(index)).collect())
            }),
            ..MIXTURE
        }),
        qkv_bias: |keys| keys.use_bias == Some(true),
        output_bias: |keys| keys.use_bias == Some(true),
        mlp_bias: |keys| keys.use_bias == Some(true),
        head_bias: |keys| keys.use_bias == Some(true),
        // Shared experts would have biases as well; no published model has any.
        uncounted: &[Uncounted {
            key: "use_bias",
            asked: |keys, _| keys.use_bias == Some(true) && keys.own("moe_num_shared_experts") != Ok(Some(0)),
            allowed: "false",
        }],
        ..DECODER
    },
];

const MISTRAL: Family = Family {
    name: "Mistral",
    model_types: &["mistral"],
    kv_heads: kv_heads_or(8),
    windows: Windows::All,
    // Its class has no switch for biases.
    qkv_bias: NO,
    output_bias: NO,
    ..DECODER
};

const COMMAND_R: Family = Family {
    name: "Command R",
    model_types: &["cohere"],
    tied: true,
    // What its files say of positions is how far the first training went.
    positions: Some(number!(model_max_length, max_position_embeddings)),
    // Its LayerNorm has a weight and no bias, as an RMS norm has. Attention stands beside the MLP behind it.
    norms: |_| 1,
    parallel_residual: YES,
    // Over each head, but with weights of its own for every one.
    qk_norm: |keys| if keys.use_qk_norm.or(keys.qk_layernorm) == Some(true) { QkNorm::All } else { QkNorm::No },
    ..DECODER
};

const GLM: Family = Family {
    name: "GLM",
    model_types: &["glm"],
    kv_heads: kv_heads_or(2),
    head_dim: Some(128),
    rotated: |_| 0.5,
    qkv_bias: |keys| keys.attention_bias != Some(false),
    output_bias: NO,
    ..DECODER
};
