//! Every kind of refused input: the message names the field, what was given and what is allowed.

mod support;

use vram_ledger::estimate;
use vram_ledger::refusal::{FieldError, Problem};
use vram_ledger::scenario::Scenario;

#[track_caller]
fn refused(json: &str) -> FieldError {
    match Scenario::from_json(json).and_then(|scenario| estimate(&scenario)) {
        Err(error) => error,
        Ok(_) => panic!("{json} was answered"),
    }
}

#[track_caller]
fn refuses(json: &str, field: &str, message: &str) {
    let error = refused(json);
    assert_eq!((error.field.as_ref(), error.message().as_str()), (field, message), "{json}");
}

/// Refuses one half; the other is answered all the same.
#[track_caller]
fn refuses_half(json: &str, half: &str, field: &str, message: &str) {
    let report = support::report_of(json);
    let (error, other_is_there) = match half {
        "training" => (report.training_error, report.inference.is_some()),
        _ => (report.inference_error, report.training.is_some()),
    };
    let error = error.unwrap_or_else(|| panic!("{half} of {json} was answered"));
    assert_eq!((error.field.as_ref(), error.message().as_str()), (field, message), "{json}");
    assert!(other_is_there);
}

#[test]
fn text_that_is_no_json() {
    assert!(refused("{").message().contains("EOF"));
    for not_an_object in ["[]", "7", "null", "\"{}\""] {
        let error = refused(not_an_object);
        assert!(error.field.is_empty() && error.message().contains("an object"), "{not_an_object}: {error}");
    }
    assert_eq!(refused(r#"{"training":[]}"#).field, "training");
    assert_eq!(refused(r#"{"cluster":{"gpu":{"peak_flops":[1e15]}}}"#).field, "cluster.gpu.peak_flops");
}

#[test]
fn unknown_fields_are_named_with_the_known_ones() {
    let error = refused(r#"{"training":{"sequense":4096}}"#);
    assert_eq!(error.field, "training.sequense");
    assert!(error.message().contains("unknown field `sequense`") && error.message().contains(" sequence,"), "{error}");
    assert_eq!(refused(r#"{"modell":"gpt2"}"#).field, "modell");
    assert!(refused(r#"{"model":{"parameters":7e9,"layers":32}}"#).message().contains("unknown field `layers`"));
}

#[test]
fn unknown_names_are_listed_with_the_known_ones() {
    refuses(
        r#"{"training":{"sharding":"zero4"}}"#,
        "training.sharding",
        "given \"zero4\"; allowed: none, zero1, zero2, zero3, hsdp",
    );
    refuses(
        r#"{"framework":"keras"}"#,
        "framework",
        "given \"keras\"; allowed: textbook, megatron-core, pytorch-fsdp2, deepspeed, hf-trainer, torchtune, axolotl",
    );
    let error = refused(r#"{"model":"llama-9"}"#);
    assert!(error.field == "model" && error.message().contains("given \"llama-9\"; allowed: llama-2-7b"), "{error}");
    let error = refused(r#"{"cluster":{"gpu":"h1000"}}"#);
    assert!(error.field == "cluster.gpu" && error.message().contains("h100-sxm-80gb"), "{error}");
    let error = refused(r#"{"cluster":{"network":"carrier-pigeon"}}"#);
    assert!(error.field == "cluster.network" && error.message().contains("ib-ndr-400"), "{error}");
    let error = refused(r#"{"training":{"recipe":"int4"}}"#);
    assert!(error.field == "training.recipe" && error.message().contains("bf16-mixed"), "{error}");
}

#[test]
fn numbers_out_of_range() {
    refuses(r#"{"cluster":{"gpus":0}}"#, "cluster.gpus", "given 0; allowed: a whole number from 1 to 1048576");
    refuses(r#"{"cluster":{"gpus":2.5}}"#, "cluster.gpus", "given 2.5; allowed: a whole number from 1 to 1048576");
    refuses(
        r#"{"training":{"sequence":-1}}"#,
        "training.sequence",
        "given -1; allowed: a whole number from 1 to 67108864",
    );
    refuses(
        r#"{"training":{"offload_fraction":0.5}}"#,
        "training.offload_fraction",
        "given 0.5; allowed with offload optimizer, optimizer_and_parameters only",
    );
    refuses(
        r#"{"training":{"offload":"optimizer","offload_fraction":1.5}}"#,
        "training.offload_fraction",
        "given 1.5; allowed: a number from 0 to 1",
    );
    refuses(r#"{"training":{"dropout":1.5}}"#, "training.dropout", "given 1.5; allowed: a number from 0 to 1");
    refuses(r#"{"training":{"mfu_ceiling":0}}"#, "training.mfu_ceiling", "given 0; allowed: a number from 0.001 to 1");
    refuses(
        r#"{"inference":{"concurrency":1e9}}"#,
        "inference.concurrency",
        "given 1000000000; allowed: a whole number from 1 to 1048576",
    );
    refuses(
        r#"{"model":{"parameters":12}}"#,
        "model.parameters",
        "given 12; allowed: a whole number from 5000000 to 1000000000000000",
    );
}

#[test]
fn values_of_the_wrong_kind() {
    refuses(r#"{"training":{"sequence":"long"}}"#, "training.sequence", "given \"long\"; allowed: a number");
    refuses(r#"{"training":{"sequence":[8192]}}"#, "training.sequence", "given a list; allowed: a number");
    refuses(r#"{"training":{"sequence_parallel":1}}"#, "training.sequence_parallel", "given 1; allowed: true or false");
    refuses(
        r#"{"model":{"model_type":"llama","hidden_size":"4096"}}"#,
        "model.hidden_size",
        "given \"4096\"; allowed: a whole number, not negative",
    );
    assert!(refused(r#"{"cluster":{"gpus":8,"gpus":16}}"#).message().contains("`gpus` is given twice"));
    let error = refused(r#"{"model":7}"#);
    assert!(error.field == "model" && error.message().contains("an id of the catalogue"), "{error}");
    let error = refused(r#"{"cluster":{"gpu":[]}}"#);
    assert!(error.field == "cluster.gpu" && error.message().contains("memory_bytes"), "{error}");
}

#[test]
fn gpus_and_links_of_their_own() {
    refuses(
        r#"{"cluster":{"gpu":{"bandwidth":1e12,"peak_flops":{"bf16":1e15}}}}"#,
        "cluster.gpu.memory_bytes",
        "missing; allowed: a number from 1000000 to 1000000000000000000",
    );
    refuses(
        r#"{"cluster":{"gpu":{"memory_bytes":8e10,"bandwidth":1e12}}}"#,
        "cluster.gpu.peak_flops",
        "given none of them; allowed: an object with at least one of bf16, fp16, fp32 in FLOP/s",
    );
    refuses(
        r#"{"cluster":{"network":{"bandwidth":5e10,"efficiency":7}}}"#,
        "cluster.network.efficiency",
        "given 7; allowed: a number from 0.001 to 2",
    );
}

#[test]
fn fields_that_ask_for_nothing_are_accepted() {
    support::report_of(
        r#"{"training":{"pipeline":1,"context":1,"expert":1,"schedule":"1f1b","virtual_stages":1,"packing":1.0,
            "tensor_overlap":0,"offload":"none","adapter":null,"zeropp":[],"paged_optimizer":false},
            "inference":{"engine":"textbook","pipeline":1,"draft_tokens":0,"shared_prefix":0,"mla":"latent"}}"#,
    );
}

#[test]
fn layouts_that_do_not_divide_refuse_one_half_and_name_what_works() {
    refuses_half(
        r#"{"model":"llama-3.1-8b","cluster":{"gpus":12},"training":{"tensor":12}}"#,
        "training",
        "training.tensor",
        "given 12; allowed: a divisor of the 32 attention heads; nearest: 4",
    );
    refuses_half(
        r#"{"model":"qwen2.5-7b","cluster":{"gpus":14},"training":{"tensor":14}}"#,
        "training",
        "training.tensor",
        "given 14; allowed: a divisor or a multiple of the 4 key-value heads; nearest: 2",
    );
    refuses_half(
        r#"{"cluster":{"gpus":6},"training":{"tensor":4}}"#,
        "training",
        "cluster.gpus",
        "given 6; allowed: a multiple of tensor × pipeline × context = 4 (what is left over is data parallel); nearest: 4, 8",
    );
    refuses_half(
        r#"{"cluster":{"gpus":8},"training":{"global_batch":12}}"#,
        "training",
        "training.global_batch",
        "given 12; allowed: a multiple of data-parallel size × micro-batch = 8; nearest: 8, 16",
    );
    refuses_half(
        r#"{"cluster":{"gpus":8},"training":{"tensor":8,"sequence":1001}}"#,
        "training",
        "training.sequence",
        "given 1001; allowed: a multiple of the 8 tensor ranks, over which sequence parallelism splits it; nearest: 1000, 1008",
    );
    refuses_half(
        r#"{"model":"llama-3.1-8b","cluster":{"gpus":6},"inference":{"tensor":6}}"#,
        "inference",
        "inference.tensor",
        "given 6; allowed: a divisor of the 32 attention heads; nearest: 4, 8",
    );
}

#[test]
fn experts_that_do_not_spread_evenly_are_refused_with_what_works() {
    refuses_half(
        r#"{"model":"mixtral-8x7b","cluster":{"gpus":8},"training":{"expert":3}}"#,
        "training",
        "training.expert",
        "given 3; allowed: a divisor of the 8 experts; nearest: 2, 4",
    );
    refuses_half(
        r#"{"model":"mixtral-8x7b","cluster":{"gpus":4},"training":{"expert":8}}"#,
        "training",
        "training.expert",
        "given 8; allowed: a divisor of tensor × context × data ÷ expert_tensor = 4 and of the experts; nearest: 4",
    );
    refuses_half(
        r#"{"model":"mixtral-8x7b","cluster":{"gpus":8},"training":{"tensor":2,"expert":8,"expert_tensor":2}}"#,
        "training",
        "training.expert",
        "given 8; allowed: a divisor of tensor × context × data ÷ expert_tensor = 4 and of the experts; nearest: 4",
    );
    refuses_half(
        r#"{"model":"mixtral-8x7b","cluster":{"gpus":6},"training":{"expert":2,"expert_tensor":4}}"#,
        "training",
        "training.expert_tensor",
        "given 4; allowed: a divisor of tensor × context × data = 6 and of the width of an expert; nearest: 2",
    );
    refuses_half(
        r#"{"model":"mixtral-8x7b","cluster":{"gpus":8},"training":{"expert_tensor":3}}"#,
        "training",
        "training.expert_tensor",
        "given 3; allowed: a divisor of the width 14336 of an expert; nearest: 2, 4",
    );
    refuses_half(
        r#"{"model":"llama-3.1-8b","cluster":{"gpus":8},"training":{"expert":8}}"#,
        "training",
        "training.expert",
        "given 8; allowed: 1, as this model has no experts; nearest: 1",
    );
    refuses(
        r#"{"model":"mixtral-8x7b","training":{"expert_capacity":1.25,"expert_imbalance":1.5}}"#,
        "training.expert_imbalance",
        "given 1.5; allowed: 1 with expert_capacity, which gives all ranks as many tokens",
    );
}

#[test]
fn choices_that_exclude_each_other() {
    refuses(
        r#"{"training":{"layers_per_stage":[]}}"#,
        "training.layers_per_stage",
        "given an empty list; allowed: one number for each stage, or none at all for even stages",
    );
    refuses_half(
        r#"{"training":{"recompute_layers":4}}"#,
        "training",
        "training.recompute_layers",
        "given 4; allowed: 0 with recompute \"none\"",
    );
    refuses_half(
        r#"{"model":"llama-3.1-8b","training":{"recompute":"full","recompute_layers":33}}"#,
        "training",
        "training.recompute_layers",
        "given 33; allowed: a whole number from 0 to 32",
    );
    refuses_half(
        r#"{"training":{"offload":"optimizer_and_parameters","sharding":"zero2"}}"#,
        "training",
        "training.offload",
        "given \"optimizer_and_parameters\"; allowed: that with sharding \"zero3\" alone, else none, optimizer",
    );
    refuses_half(
        r#"{"training":{"optimizer":"muon","optimizer_step":"foreach"}}"#,
        "training",
        "training.optimizer_step",
        "given \"foreach\"; allowed: fused with optimizer \"muon\"",
    );
    refuses_half(
        r#"{"training":{"optimizer_in_backward":true,"global_batch":4}}"#,
        "training",
        "training.optimizer_in_backward",
        "given true; allowed: false where the gradients of 4 micro-batches are added up",
    );
    refuses_half(
        r#"{"model":"llama-3.1-8b","training":{"adapter":{"targets":["q_proj","w1"]}}}"#,
        "training",
        "training.adapter.targets",
        "given \"w1\"; allowed: q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj, lm_head",
    );
    refuses_half(
        r#"{"model":"deepseek-v3","training":{"adapter":{"targets":["q_proj"]}}}"#,
        "training",
        "training.adapter.targets",
        "given \"q_proj\"; allowed: o_proj, q_a_proj, q_b_proj, kv_a_proj_with_mqa, kv_b_proj, gate_proj, up_proj, down_proj, lm_head",
    );
    refuses_half(
        r#"{"training":{"adapter":{"targets":"everything"}}}"#,
        "training",
        "training.adapter.targets",
        "given \"everything\"; allowed: attention, all_linear",
    );
    refuses(
        r#"{"training":{"adapter":{"rank":0}}}"#,
        "training.adapter.rank",
        "given 0; allowed: a whole number from 1 to 65536",
    );
}

#[test]
fn a_pasted_config_that_cannot_be_right() {
    let error = refused(r#"{"model":{"model_type":"llama","hidden_size":4096}}"#);
    assert!(error.field.starts_with("model."), "{error}");
    let error = refused(r#"{"model":{"model_type":"banana","hidden_size":4096}}"#);
    assert_eq!(error.field, "model.model_type");
    assert!(error.message().contains("banana") && error.message().contains("llama"), "{error}");
}

#[test]
fn what_an_engine_has_not_is_refused_with_the_engines_that_have_it() {
    for (engine, field, value, given, engines) in [
        ("textbook", "memory_fraction", "0.9", "0.9", "vllm, sglang, tensorrt-llm, lmdeploy"),
        ("llama.cpp", "memory_fraction", "0.9", "0.9", "vllm, sglang, tensorrt-llm, lmdeploy"),
        ("textbook", "cuda_graphs", "true", "true", "vllm, sglang"),
        ("sglang", "max_sequences", "256", "256", "vllm"),
        ("llama.cpp", "kv_cache_bytes", "1e10", "10000000000", "textbook, vllm, sglang, tensorrt-llm"),
        ("llama.cpp", "block", "16", "16", "textbook, vllm, sglang, tensorrt-llm, lmdeploy"),
        ("vllm", "kv_unified", "true", "true", "llama.cpp"),
        ("vllm", "swa_full", "true", "true", "llama.cpp"),
        ("vllm", "logits_rows", "512", "512", "llama.cpp"),
        ("vllm", "kv", "\"q8_0\"", "\"q8_0\"", "textbook, llama.cpp"),
        ("llama.cpp", "kv", "\"fp8\"", "\"fp8\"", "textbook, vllm, sglang, tensorrt-llm, transformers"),
        ("tensorrt-llm", "weights", "\"gguf-q4_k_m\"", "\"gguf-q4_k_m\"", "textbook, vllm, sglang, llama.cpp"),
        ("transformers", "weights", "\"gguf-q8_0\"", "\"gguf-q8_0\"", "textbook, vllm, sglang, llama.cpp"),
        (
            "llama.cpp",
            "weights",
            "\"int4-g128\"",
            "\"int4-g128\"",
            "textbook, vllm, sglang, tensorrt-llm, lmdeploy, transformers",
        ),
        ("llama.cpp", "weights", "\"fp8\"", "\"fp8\"", "textbook, vllm, sglang, tensorrt-llm, transformers"),
        ("tensorrt-llm", "weights", "\"nf4\"", "\"nf4\"", "textbook, vllm, sglang, transformers"),
        ("lmdeploy", "weights", "\"fp8\"", "\"fp8\"", "textbook, vllm, sglang, tensorrt-llm, transformers"),
        ("lmdeploy", "kv", "\"fp8\"", "\"fp8\"", "textbook, vllm, sglang, tensorrt-llm, transformers"),
        ("transformers", "shared_prefix", "16", "16", "textbook, vllm, sglang, tensorrt-llm, lmdeploy, llama.cpp"),
        ("transformers", "prefill_chunk", "16", "16", "textbook, vllm, sglang, tensorrt-llm, lmdeploy, llama.cpp"),
    ] {
        let json = format!(r#"{{"inference":{{"engine":"{engine}","{field}":{value}}}}}"#);
        refuses(&json, &format!("inference.{field}"), &format!("given {given}; allowed with engine {engines} only"));
    }
}

#[test]
fn servings_that_are_impossible_are_refused_with_what_is_possible() {
    refuses_half(
        r#"{"model":"mixtral-8x7b","cluster":{"gpus":8},"inference":{"tensor":2,"expert":3}}"#,
        "inference",
        "inference.expert",
        "given 3; allowed: a divisor of the 8 experts; nearest: 2, 4",
    );
    refuses_half(
        r#"{"model":"mixtral-8x7b","cluster":{"gpus":2},"inference":{"tensor":2,"expert":4}}"#,
        "inference",
        "inference.expert",
        "given 4; allowed: a divisor of the experts and of GPUs ÷ pipeline = 2, and a divisor or a multiple of tensor; nearest: 2",
    );
    refuses_half(
        r#"{"model":"llama-3.1-8b","cluster":{"gpus":8},"inference":{"pipeline":3,"tensor":1}}"#,
        "inference",
        "cluster.gpus",
        "given 8; allowed: a multiple of tensor × pipeline × context = 3 (what is left over is data parallel); nearest: 6, 9",
    );
    refuses_half(
        r#"{"inference":{"context":512,"shared_prefix":513}}"#,
        "inference",
        "inference.shared_prefix",
        "given 513; allowed: a whole number from 0 to 512",
    );
    refuses_half(
        r#"{"inference":{"mla":"expanded"}}"#,
        "inference",
        "inference.mla",
        "given \"expanded\"; allowed: latent: this model has no latent attention to expand",
    );
    let model = r#"{"model_type":"llama","hidden_size":3200,"intermediate_size":8640,"num_hidden_layers":26,
        "num_attention_heads":32,"num_key_value_heads":32,"vocab_size":32000}"#;
    refuses_half(
        &format!(r#"{{"model":{model},"inference":{{"engine":"llama.cpp","kv":"q4_0"}}}}"#),
        "inference",
        "inference.kv",
        "given \"q4_0\"; allowed: a format whose blocks fill a head of 100; its blocks of 32 do not",
    );
    refuses(
        r#"{"inference":{"engine":"llama.cpp","shared_prefix":16}}"#,
        "inference.shared_prefix",
        "given 16; allowed: 0 unless kv_unified: slots of llama.cpp share a prefix with that only",
    );
}

#[test]
fn what_is_not_counted_of_special_layers_is_refused() {
    let with =
        |training: &str| format!(r#"{{"model":"qwen3.5-0.8b","cluster":{{"gpus":2}},"training":{{{training}}}}}"#);
    for (training, field, given) in [
        (r#""adapter":{}"#, "training.adapter", "adapters"),
        (r#""recompute":"selective_ops""#, "training.recompute", "\"selective_ops\""),
        (r#""context":2"#, "training.context", "context parallelism"),
    ] {
        let message = format!("given {given} with layers of several kinds; not supported yet");
        refuses_half(&with(training), "training", field, &message);
    }
    // 16 heads of queries and keys in its linear layers, 8 query heads in the others.
    let json = r#"{"model":"qwen3.5-0.8b","cluster":{"gpus":16},"training":{"tensor":16}}"#;
    assert_eq!(support::report_of(json).training_error.unwrap().field, "training.tensor");
}

/// Each of the nearest values a message names is one that works beside everything else that was asked.
#[test]
fn what_is_called_nearest_works() {
    let mut followed = 0;
    for model in ["llama-3.1-8b", "falcon-7b", "qwen2.5-3b", "phi-4", "mixtral-8x7b", "gpt2"] {
        for gpus in [1, 6, 8, 16, 48] {
            for (tensor, pipeline, context) in [(8, 1, 1), (5, 1, 1), (1, 5, 1), (1, 8, 2), (3, 2, 1), (2, 7, 1)] {
                for schedule in ["1f1b", "zbv", "dualpipe"] {
                    let ask = |tensor: u64, pipeline: u64| {
                        support::report_of(&format!(
                            r#"{{"model":"{model}","cluster":{{"gpus":{gpus}}},"training":{{"tensor":{tensor},
                            "pipeline":{pipeline},"context":{context},"schedule":"{schedule}","global_batch":5760}}}}"#
                        ))
                    };
                    let Some(error) = ask(tensor, pipeline).training_error else { continue };
                    let Problem::Divides { nearest, .. } = &error.problem else { continue };
                    for value in nearest {
                        let then = match error.field.as_ref() {
                            "training.tensor" => ask(*value, pipeline),
                            "training.pipeline" => ask(tensor, *value),
                            _ => continue,
                        };
                        let again = then.training_error.filter(|then| then.field == error.field);
                        assert_eq!(again, None, "{model} on {gpus}, {error}");
                        let placed = match error.field.as_ref() {
                            "training.tensor" => value * pipeline * context,
                            _ => tensor * value * context,
                        };
                        assert_eq!(gpus % placed, 0, "{model} on {gpus}, {error}");
                        followed += 1;
                    }
                }
            }
        }
    }
    assert!(followed > 100, "{followed}");
}

/// A message says "given" of what was given alone.
#[test]
fn a_default_that_breaks_a_rule_is_called_missing() {
    refuses_half(
        r#"{"cluster":{"gpus":4},"training":{"pipeline":4,"schedule":"dualpipe"}}"#,
        "training",
        "training.global_batch",
        "missing; allowed: an even multiple of data-parallel size × micro-batch, at least 8 (dualpipe has two ends)",
    );
    refuses_half(
        r#"{"cluster":{"gpus":4},"training":{"pipeline":4,"schedule":"interleaved"}}"#,
        "training",
        "training.virtual_stages",
        "missing; allowed: a number from 2 to 32",
    );
}
