//! Decoder families: how the same keys of a `config.json` mean different tensors.

/// A family of decoders, in the terms of the Hugging Face `model_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// `llama`: also the shape that a bare parameter count is given.
    Llama,
    /// `mistral`: Llama's tensors, a sliding window over every layer in its first release.
    Mistral,
    /// `mixtral`: Mistral with routed experts in place of the dense MLP.
    Mixtral,
    /// `qwen2`: Llama with biases on query, key and value.
    Qwen2,
    /// `qwen3`: Llama with a norm on each query and key head.
    Qwen3,
    /// `gemma`: tied embeddings, heads of 256.
    Gemma,
    /// `gemma2`: four norms a layer, every other layer windowed.
    Gemma2,
    /// `gemma3` and its language model `gemma3_text`: four norms, head norms, five windowed layers to each full one.
    Gemma3,
    /// `phi3`: Llama with fused projections (the same tensors, counted apart).
    Phi3,
    /// `gpt2`: learned positions, LayerNorm, biases everywhere, plain MLP; also GPT-3 and Megatron's GPT.
    Gpt2,
    /// `gpt_neox`: GPT with rotary positions and attention beside the MLP instead of before it.
    GptNeox,
    /// `qwen2_moe`: Qwen2 with routed experts and a gated shared one.
    Qwen2Moe,
    /// `qwen3_moe`: Qwen3 with routed experts.
    Qwen3Moe,
    /// `deepseek_v2`: latent attention; routed and shared experts behind dense first layers.
    DeepseekV2,
    /// `deepseek_v3`, and `kimi_k2` of the same tensors: DeepSeek-V2 with a correction of the router's scores, and
    /// layers that predict further tokens while training.
    DeepseekV3,
    /// `glm4_moe`: grouped queries with head norms; experts, router and predicting layers as in DeepSeek-V3.
    Glm4Moe,
    /// `olmo2`: norms behind attention and MLP, and over all queries and all keys together.
    Olmo2,
    /// `olmoe`: the same norms of queries and keys; routed experts in every layer.
    Olmoe,
    /// `granite`: Llama's tensors, scaled.
    Granite,
    /// `starcoder2`: LayerNorm, plain MLP, biases everywhere, rotary positions.
    Starcoder2,
    /// `gpt_oss`: biases everywhere, experts in every layer, a learned sink for each head, every other layer windowed.
    GptOss,
    /// `deepseek`: Llama's attention with the mixture of DeepSeek-V2.
    Deepseek,
    /// `olmo3`: OLMo 2 with three windowed layers to each full one.
    Olmo3,
    /// `opt`: learned positions, LayerNorm, biases everywhere, plain MLP.
    Opt,
    /// `cohere`: attention beside the MLP behind one norm without a bias, tied embeddings.
    Cohere,
    /// `qwen3_next`, and `qwen3_5_text` and `qwen3_5_moe_text` of the same tensors: linear attention in all but every
    /// fourth layer, a gate on the attention of that; dense, or routed experts with a gated shared one.
    Qwen3Next,
    /// `gemma4_text`: Gemma 3 with other heads in the layers without a window, whose values are their keys.
    Gemma4,
    /// `laguna`: routed and shared experts behind a dense first layer; a gate for each head, fewer of them in the layers
    /// without a window.
    Laguna,
    /// `llama4_text`: attention in chunks in all but every fourth layer; routed experts and a shared one, in every layer or every
    /// second.
    Llama4,
    /// `phi`: attention beside a plain MLP behind one LayerNorm, biases everywhere, on the head too.
    Phi,
    /// `phimoe`: Mixtral with LayerNorms and biases on attention and head.
    Phimoe,
    /// `deepseek_v32`: DeepSeek-V3 with an indexer that picks the tokens attention looks at.
    DeepseekV32,
    /// `glm_moe_dsa`: the same tensors in other sizes; layers may share an indexer.
    GlmDsa,
    /// `olmo`: norms without weights.
    Olmo,
    /// `internlm2`: Llama with its projections fused.
    Internlm2,
    /// `internlm3`: Llama with switches for biases.
    Internlm3,
    /// `falcon`: attention beside a plain MLP; one key-value head, or groups of them in the newer kind.
    Falcon,
    /// `bloom`: positions as a slope of the scores, a norm behind the embedding, biases everywhere.
    Bloom,
    /// `mamba`: nothing but state spaces.
    Mamba,
    /// `falcon_mamba`: the same.
    FalconMamba,
    /// `nemotron_h`: each layer a Mamba-2 state space, attention, an MLP or experts alone.
    NemotronH,
    /// `nemotron-nas`: Llama thinned out by a search, layers without attention and MLPs of several widths.
    NemotronNas,
    /// `cohere2`: Command R with three windowed layers to each full one.
    Cohere2,
    /// `apertus`: Llama with a norm on each head and a plain MLP, whose activation has two learned numbers.
    Apertus,
    /// `arcee`: Llama with a plain MLP.
    Arcee,
    /// `nemotron`: LayerNorms, plain MLP, no biases on matrices unless told.
    Nemotron,
    /// `bitnet`: Llama with a norm before attention's output projection, and one before the MLP's.
    Bitnet,
    /// `glm`: Llama with biases on query, key and value.
    Glm,
    /// `glm4`: GLM with norms behind attention and MLP as well as before them.
    Glm4,
    /// `stablelm`: Llama with LayerNorms; attention beside the MLP in the larger one.
    StableLm,
    /// `seed_oss`: Llama with switches for the biases on query, key and value and for that on the output.
    SeedOss,
    /// `exaone4`: norms behind attention and MLP, and on each head; three windowed layers to each full one in the larger one.
    Exaone4,
    /// `dots1`: Qwen3's attention with the mixture of DeepSeek-V3.
    Dots1,
    /// `hunyuan_v1_dense`: Llama with a norm on each query and key head.
    HunyuanDense,
    /// `hunyuan_v1_moe`: the same with routed experts and a shared one in every layer.
    HunyuanMoe,
    /// `minimax_text_01`, and `minimax_m1` of the same tensors: Mixtral with linear attention in seven of eight layers.
    MiniMax,
    /// `minimax_m2`: Mixtral with norms over all queries and all keys, and a correction of the router's scores.
    MiniMaxM2,
    /// None of these, but with the keys that decoders usually have.
    Unknown,
}

impl Family {
    /// Every known family, in the order a list shows them.
    pub const ALL: [Family; 57] = [
        Family::Llama,
        Family::Mistral,
        Family::Mixtral,
        Family::Qwen2,
        Family::Qwen3,
        Family::Gemma,
        Family::Gemma2,
        Family::Gemma3,
        Family::Phi3,
        Family::Gpt2,
        Family::GptNeox,
        Family::Qwen2Moe,
        Family::Qwen3Moe,
        Family::DeepseekV2,
        Family::DeepseekV3,
        Family::Glm4Moe,
        Family::Olmo2,
        Family::Olmoe,
        Family::Granite,
        Family::Starcoder2,
        Family::GptOss,
        Family::Deepseek,
        Family::Olmo3,
        Family::Opt,
        Family::Cohere,
        Family::Qwen3Next,
        Family::Gemma4,
        Family::Laguna,
        Family::Llama4,
        Family::Phi,
        Family::Phimoe,
        Family::DeepseekV32,
        Family::GlmDsa,
        Family::Olmo,
        Family::Internlm2,
        Family::Internlm3,
        Family::Falcon,
        Family::Bloom,
        Family::Mamba,
        Family::FalconMamba,
        Family::NemotronH,
        Family::NemotronNas,
        Family::Cohere2,
        Family::Apertus,
        Family::Arcee,
        Family::Nemotron,
        Family::Bitnet,
        Family::Glm,
        Family::Glm4,
        Family::StableLm,
        Family::SeedOss,
        Family::Exaone4,
        Family::Dots1,
        Family::HunyuanDense,
        Family::HunyuanMoe,
        Family::MiniMax,
        Family::MiniMaxM2,
    ];

    /// The `model_type` values of this family in a `config.json`; the first is the one written back.
    pub fn model_types(self) -> &'static [&'static str] {
        match self {
            Family::Llama => &["llama"],
            Family::Mistral => &["mistral"],
            Family::Mixtral => &["mixtral"],
            Family::Qwen2 => &["qwen2", "qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text"],
            // The language models of Qwen-VL have the tensors of Qwen; what is around them has a name of its own.
            Family::Qwen3 => &["qwen3", "qwen3_vl_text", "qwen3_vl"],
            Family::Gemma => &["gemma"],
            Family::Gemma2 => &["gemma2"],
            Family::Gemma3 => &["gemma3_text", "gemma3"],
            Family::Phi3 => &["phi3"],
            Family::Gpt2 => &["gpt2"],
            Family::GptNeox => &["gpt_neox"],
            Family::Qwen2Moe => &["qwen2_moe"],
            Family::Qwen3Moe => &["qwen3_moe", "qwen3_vl_moe_text", "qwen3_vl_moe"],
            Family::DeepseekV2 => &["deepseek_v2"],
            Family::DeepseekV3 => &["deepseek_v3", "kimi_k2"],
            Family::Glm4Moe => &["glm4_moe"],
            Family::Olmo2 => &["olmo2"],
            Family::Olmoe => &["olmoe"],
            Family::Granite => &["granite"],
            Family::Starcoder2 => &["starcoder2"],
            Family::GptOss => &["gpt_oss"],
            Family::Deepseek => &["deepseek"],
            Family::Olmo3 => &["olmo3"],
            Family::Opt => &["opt"],
            Family::Cohere => &["cohere"],
            Family::Qwen3Next => &["qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "qwen3_5", "qwen3_5_moe"],
            Family::Gemma4 => &["gemma4_text", "gemma4"],
            Family::Laguna => &["laguna"],
            Family::Llama4 => &["llama4_text", "llama4"],
            Family::Phi => &["phi"],
            Family::Phimoe => &["phimoe"],
            Family::DeepseekV32 => &["deepseek_v32"],
            Family::GlmDsa => &["glm_moe_dsa"],
            Family::Olmo => &["olmo"],
            Family::Internlm2 => &["internlm2"],
            Family::Internlm3 => &["internlm3"],
            Family::Falcon => &["falcon"],
            Family::Bloom => &["bloom"],
            Family::Mamba => &["mamba"],
            Family::FalconMamba => &["falcon_mamba"],
            Family::NemotronH => &["nemotron_h"],
            Family::NemotronNas => &["nemotron-nas"],
            Family::Cohere2 => &["cohere2"],
            Family::Apertus => &["apertus"],
            Family::Arcee => &["arcee"],
            Family::Nemotron => &["nemotron"],
            Family::Bitnet => &["bitnet"],
            Family::Glm => &["glm"],
            Family::Glm4 => &["glm4"],
            Family::StableLm => &["stablelm", "stablelm_epoch"],
            Family::SeedOss => &["seed_oss"],
            Family::Exaone4 => &["exaone4"],
            Family::Dots1 => &["dots1"],
            Family::HunyuanDense => &["hunyuan_v1_dense"],
            Family::HunyuanMoe => &["hunyuan_v1_moe"],
            Family::MiniMax => &["minimax_text_01", "minimax_m1", "minimax"],
            Family::MiniMaxM2 => &["minimax_m2"],
            Family::Unknown => &[],
        }
    }

    /// The family's name in prose.
    pub fn name(self) -> &'static str {
        match self {
            Family::Llama => "Llama",
            Family::Mistral => "Mistral",
            Family::Mixtral => "Mixtral",
            Family::Qwen2 => "Qwen2",
            Family::Qwen3 => "Qwen3",
            Family::Gemma => "Gemma",
            Family::Gemma2 => "Gemma 2",
            Family::Gemma3 => "Gemma 3",
            Family::Phi3 => "Phi-3",
            Family::Gpt2 => "GPT-2",
            Family::GptNeox => "GPT-NeoX",
            Family::Qwen2Moe => "Qwen2 MoE",
            Family::Qwen3Moe => "Qwen3 MoE",
            Family::DeepseekV2 => "DeepSeek-V2",
            Family::DeepseekV3 => "DeepSeek-V3",
            Family::Glm4Moe => "GLM-4 MoE",
            Family::Olmo2 => "OLMo 2",
            Family::Olmoe => "OLMoE",
            Family::Granite => "Granite",
            Family::Starcoder2 => "StarCoder2",
            Family::GptOss => "gpt-oss",
            Family::Deepseek => "DeepSeek MoE",
            Family::Olmo3 => "OLMo 3",
            Family::Opt => "OPT",
            Family::Cohere => "Command R",
            Family::Qwen3Next => "Qwen3-Next",
            Family::Gemma4 => "Gemma 4",
            Family::Laguna => "Laguna",
            Family::Llama4 => "Llama 4",
            Family::Phi => "Phi",
            Family::Phimoe => "Phi-3.5 MoE",
            Family::DeepseekV32 => "DeepSeek-V3.2",
            Family::GlmDsa => "GLM-5",
            Family::Olmo => "OLMo",
            Family::Internlm2 => "InternLM2",
            Family::Internlm3 => "InternLM3",
            Family::Falcon => "Falcon",
            Family::Bloom => "BLOOM",
            Family::Mamba => "Mamba",
            Family::FalconMamba => "Falcon Mamba",
            Family::NemotronH => "Nemotron-H",
            Family::NemotronNas => "Nemotron NAS",
            Family::Cohere2 => "Command R7B and A",
            Family::Apertus => "Apertus",
            Family::Arcee => "Arcee",
            Family::Nemotron => "Nemotron",
            Family::Bitnet => "BitNet",
            Family::Glm => "GLM",
            Family::Glm4 => "GLM-4",
            Family::StableLm => "StableLM",
            Family::SeedOss => "Seed-OSS",
            Family::Exaone4 => "EXAONE 4",
            Family::Dots1 => "dots.llm1",
            Family::HunyuanDense => "Hunyuan",
            Family::HunyuanMoe => "Hunyuan MoE",
            Family::MiniMax => "MiniMax",
            Family::MiniMaxM2 => "MiniMax-M2",
            Family::Unknown => "Unknown family",
        }
    }

    /// Whether queries, keys and values are made from narrow vectors.
    pub fn has_latent_attention(self) -> bool {
        matches!(self, Family::DeepseekV2 | Family::DeepseekV3 | Family::DeepseekV32 | Family::GlmDsa)
    }

    /// The family a `model_type` belongs to, if it is one of those known.
    pub fn from_model_type(model_type: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.model_types().contains(&model_type))
    }
}
