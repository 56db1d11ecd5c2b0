//! Numbers worked out by hand, where no published case holds the rule.

mod support;

use support::report_of;
use vram_ledger::answer::{Collective, Group, Payload};
use vram_ledger::ledger::Account;
use vram_ledger::report::{Report, TrainingReport};
use vram_ledger::units::Bytes;

fn training(json: &str) -> TrainingReport {
    report_of(json).training.expect("a training half")
}

fn state_per_parameter(optimizer: &str) -> f64 {
    let report: Report = report_of(&format!(r#"{{"model":"llama-3.1-8b","training":{{"optimizer":"{optimizer}"}}}}"#));
    report.gap.state_bytes_per_parameter.unwrap()
}

#[test]
fn the_gap_and_the_checkpoint_follow_the_optimizer() {
    assert_eq!(state_per_parameter("adamw"), 16.0);
    assert_eq!(state_per_parameter("lion"), 12.0);
    assert_eq!(state_per_parameter("sgd"), 8.0);
    // Two moments of one byte with an fp32 scale for 256 parameters; the norms of 4,096 elements are large enough.
    assert!((state_per_parameter("adamw-8bit") - (8.0 + 2.0 * (1.0 + 4.0 / 256.0))).abs() < 1e-6);
    // A byte or two a thousand parameters for rows and columns.
    assert!((8.0..8.01).contains(&state_per_parameter("adafactor")));
    // Muon: one moment for 6,979,321,856 parameters of hidden matrices, two for the other 1,050,939,392.
    let muon = 8.0 + (4.0 * 6_979_321_856.0 + 8.0 * 1_050_939_392.0) / 8_030_261_248.0;
    assert!((state_per_parameter("muon") - muon).abs() < 1e-9);
    let checkpoint = training(r#"{"model":{"parameters":7e9},"training":{"optimizer":"sgd"}}"#).checkpoint.bytes;
    assert_eq!(checkpoint, Bytes::whole(6.0 * 7e9), "weights and master weights");
}

#[test]
fn axolotl_trains_the_weights_in_bf16() {
    let state = |framework: &str| {
        training(&format!(r#"{{"model":{{"parameters":7e9}},"framework":"{framework}"}}"#)).stages[0].state.total
    };
    assert_eq!(state("axolotl"), Bytes::whole(8.0 * 7e9), "weights, gradients and both moments in two bytes");
    assert_eq!(state("hf-trainer"), Bytes::whole(16.0 * 7e9));
}

#[test]
fn fp32_activations_are_twice_as_large() {
    let kept = |recipe: &str| {
        training(&format!(r#"{{"training":{{"recipe":"{recipe}","attention":"eager"}}}}"#)).stages[0].accounts
    };
    let (half, full) = (kept("bf16-mixed"), kept("fp32"));
    for account in [Account::Activations, Account::EdgeActivations, Account::Loss] {
        assert_eq!(full[account].get(), 2.0 * half[account].get(), "{account:?}");
    }
}

#[test]
fn a_layer_norm_of_plain_modules_keeps_no_fp32_copy() {
    // 32h + 4a a token and layer, as with fused kernels: GPT-2 has a plain MLP and LayerNorm.
    let kept = |kernels: &str| {
        training(&format!(r#"{{"model":"gpt2","training":{{"kernels":"{kernels}","sequence":1024}}}}"#)).stages[0]
            .accounts[Account::Activations]
    };
    assert_eq!(kept("eager"), kept("fused"));
    assert_eq!(kept("fused"), Bytes::whole((32.0 * 768.0 + 4.0 * 12.0) * 1024.0 * 12.0));
}

#[test]
fn data_overlap_is_the_share_that_may_hide() {
    let exposed = |overlap: f64| {
        let report = training(&format!(
            r#"{{"cluster":{{"gpus":8}},"training":{{"sharding":"zero3","global_batch":64,"data_overlap":{overlap}}}}}"#
        ));
        let all: f64 = report.traffic.iter().map(|line| line.seconds.0).sum();
        report.step.exposed_communication_seconds.0 / all
    };
    assert!((exposed(0.0) - 1.0).abs() < 1e-12);
    assert!(exposed(0.5) >= 0.5);
    assert!(exposed(1.0) < exposed(0.5));
}

#[test]
fn a_node_with_one_rank_has_one_card() {
    let seconds = |gpus: u64| -> f64 {
        let report = training(&format!(r#"{{"cluster":{{"gpus":{gpus}}},"training":{{"sharding":"none"}}}}"#));
        report.traffic.iter().map(|line| line.seconds.0).sum()
    };
    // Sixteen ranks share eight cards on either side; the ninth has only its own.
    assert!(seconds(9) > 6.0 * seconds(16));
}

#[test]
fn a_window_bounds_what_attention_computes() {
    let flops = |sequence: u64| {
        let json = format!(r#"{{"model":"mistral-7b-v0.1","training":{{"sequence":{sequence}}}}}"#);
        training(&json).step.hardware_flops_per_token
    };
    // Far beyond the window of 4,096 every token sees the whole of it, twice the average up to there:
    // 4·q a layer and key, 3.5 times over forward and flash attention's backward.
    let window = 4.0 * 4096.0 * 32.0 * 3.5 * 4096.0;
    let (at, beyond) = (flops(4096), flops(1 << 22));
    assert!(((beyond - at) / (0.5 * window) - 1.0).abs() < 1e-3, "{at} {beyond}");
}

#[test]
fn serving_waits_for_its_all_reduces() {
    let decode =
        |link: &str| report_of(&format!(r#"{{"cluster":{{"gpus":8{link}}}}}"#)).inference.unwrap().decode_seconds.0;
    let slow = decode(r#","link":{"bandwidth":1e6,"latency":0,"efficiency":1}"#);
    let fast = decode(r#","link":{"bandwidth":1e15,"latency":0,"efficiency":1}"#);
    // 65 all-reduces of 8,192 bytes, of which each GPU sends 2·7/8.
    assert!((slow - fast - 65.0 * 8192.0 * 1.75 / 1e6).abs() < 1e-6, "{slow} {fast}");
}

#[test]
fn key_and_value_biases_are_copied_with_their_heads() {
    let weights = |tensor: u64| {
        let json = format!(r#"{{"model":"qwen2.5-1.5b","cluster":{{"gpus":4}},"inference":{{"tensor":{tensor}}}}}"#);
        report_of(&json).inference.unwrap().accounts[Account::Weights].get()
    };
    // Two key-value heads of 128 on four ranks: each rank holds one, so half of K and V instead of a quarter.
    let (layers, kv, hidden) = (28.0, 256.0, 1536.0);
    let split_evenly = |ranks: f64| {
        let norms = (2.0 * layers + 1.0) * hidden;
        2.0 * ((1_543_714_304.0 - norms) / ranks + norms)
    };
    let copies = 2.0 * 2.0 * layers * (kv * hidden + kv) / 4.0;
    assert_eq!(weights(4), split_evenly(4.0) + copies);
    assert_eq!(weights(1), 2.0 * 1_543_714_304.0);
}

#[test]
fn higher_stages_are_proposed_and_the_reserve_counts() {
    let report = report_of(
        r#"{"framework":"deepspeed","model":{"parameters":2e9},"cluster":{"gpus":8,"gpu":"rtx-4090","reserve_bytes":5e9}}"#,
    );
    for advice in &report.advice {
        assert!(advice.short.get() > 0.0);
        let lowered = advice.patch.0.iter().any(|change| {
            matches!(change, vram_ledger::scenario::Change::Sharding(_, Some(stage))
                if matches!(stage, vram_ledger::names::Sharding::None | vram_ledger::names::Sharding::Zero1))
        });
        assert!(!lowered, "{:?} shares out less than zero2", advice.patch);
    }
}

/// Mixtral 8x7B: 32 layers of 8 experts of 3 · 4096 · 14336, and everything else.
const MIXTRAL_EXPERTS: f64 = 45_097_156_608.0;
const MIXTRAL_REST: f64 = 1_605_636_096.0;

#[test]
fn experts_are_shared_out_in_a_group_of_their_own() {
    let state = |layout: &str| {
        let json =
            format!(r#"{{"model":"mixtral-8x7b","cluster":{{"gpus":8}},"training":{{"sharding":"zero1",{layout}}}}}"#);
        training(&json).stages[0].state
    };
    // Two ranks hold the same two experts of each layer: 4 · 2 = 8 shares of the optimiser's part, as of the rest.
    let spread = state(r#""expert":4"#);
    assert_eq!(spread.weights, Bytes::whole(2.0 * (MIXTRAL_REST + MIXTRAL_EXPERTS / 4.0)));
    assert_eq!(spread.master_weights, Bytes::whole(4.0 * (MIXTRAL_REST + MIXTRAL_EXPERTS) / 8.0));
    // Nobody else has a rank's expert, so there is nobody to share its optimiser state with.
    let alone = state(r#""expert":8"#);
    assert_eq!(alone.weights, Bytes::whole(2.0 * (MIXTRAL_REST + MIXTRAL_EXPERTS / 8.0)));
    assert_eq!(alone.master_weights, spread.master_weights);
    // Tensor parallelism splits attention, embedding and head; router and norms stay whole, and so does each expert
    // unless it is cut itself: 2 · 2 · 2 = 8 ranks hold different parts of experts.
    let whole = 32.0 * (8.0 * 4096.0 + 2.0 * 4096.0) + 4096.0;
    let common = (MIXTRAL_REST - whole) / 2.0 + whole;
    let folded = state(r#""tensor":2,"expert":4"#);
    assert_eq!(folded.weights, Bytes::whole(2.0 * (common + MIXTRAL_EXPERTS / 4.0)));
    assert_eq!(folded.master_weights, Bytes::whole(4.0 * (common / 4.0 + MIXTRAL_EXPERTS / 8.0)));
    let cut = state(r#""tensor":2,"expert":4,"expert_tensor":2"#);
    assert_eq!(cut.weights, Bytes::whole(2.0 * (common + MIXTRAL_EXPERTS / 8.0)));
    assert_eq!(cut.master_weights, Bytes::whole(4.0 * (common / 4.0 + MIXTRAL_EXPERTS / 8.0)));
}

#[test]
fn experts_keep_what_the_tokens_they_meet_need() {
    let kept = |layout: &str| {
        let json = format!(
            r#"{{"model":"mixtral-8x7b","cluster":{{"gpus":8}},"training":{{"sequence":1024,"sharding":"zero1"{layout}}}}}"#
        );
        training(&json).stages[0].accounts[Account::Activations].get() / 1024.0 / 32.0
    };
    // 8h + 4q + 4kv + 4a, 2 experts with 2h + 6f each, and the router's 8 probabilities in fp32.
    let (h, f) = (4096.0, 14_336.0);
    let attention = 12.0 * h + 4.0 * 1024.0 + 4.0 * 32.0;
    let expert = 2.0 * h + 6.0 * f;
    assert_eq!(kept(""), attention + 2.0 * expert + 4.0 * 8.0);
    assert_eq!(kept(r#","expert":8"#), kept(""));
    assert_eq!(kept(r#","expert":8,"expert_imbalance":1.5"#), attention + 3.0 * expert + 4.0 * 8.0);
    assert_eq!(kept(r#","expert":8,"expert_capacity":1.25"#), attention + 2.5 * expert + 4.0 * 8.0);
    // Sequence parallelism gives each of four ranks a quarter of the tokens, whole experts or cut ones.
    assert_eq!(kept(r#","tensor":4"#), kept("") / 4.0);
    // Ranks that share an expert gather each other's tokens; a quarter of the width is left to each.
    let gathered = (attention + 4.0 * 8.0 + 2.0 * 6.0 * f) / 4.0 + 2.0 * 2.0 * h;
    assert_eq!(kept(r#","tensor":4,"expert_tensor":4"#), gathered);
    // Without it every rank has every token, and works through whole experts for each.
    let repeated = (4.0 * h + 4.0 * 1024.0 + 4.0 * 32.0) / 4.0 + 8.0 * h + 2.0 * expert + 4.0 * 8.0;
    assert_eq!(kept(r#","tensor":4,"sequence_parallel":false"#), repeated);
}

#[test]
fn latent_attention_keeps_its_narrow_vectors_and_what_is_spread_out_from_them() {
    let kept = |layout: &str| {
        let config = r#"{"model_type":"deepseek_v2","hidden_size":5120,"intermediate_size":12288,"num_hidden_layers":2,
            "moe_intermediate_size":1536,"n_routed_experts":160,"n_shared_experts":2,"num_experts_per_tok":6,
            "first_k_dense_replace":2,"num_attention_heads":128,"q_lora_rank":1536,"kv_lora_rank":512,
            "qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"vocab_size":102400}"#;
        let json = format!(r#"{{"model":{config},"cluster":{{"gpus":4}},"training":{{"sequence":1024{layout}}}}}"#);
        training(&json).stages[0].accounts[Account::Activations].get() / 1024.0 / 2.0
    };
    let (h, a, narrow, f) = (5120.0, 128.0, 1536.0 + 512.0, 12_288.0);
    let spread = 2.0 * a * (2.0 * 192.0 + 128.0) + 2.0 * a * 128.0 + 4.0 * a + 6.0 * f;
    assert_eq!(kept(""), 8.0 * h + 4.0 * narrow + spread);
    assert_eq!(kept(r#","tensor":4"#), kept("") / 4.0);
    // Without sequence parallelism every rank has the narrow vectors whole.
    assert_eq!(kept(r#","tensor":4,"sequence_parallel":false"#), 8.0 * h + 4.0 * narrow + spread / 4.0);
    // Plain modules: fp32 inputs and normalised values of all four norms, and the gate's activation.
    let plain = 8.0 * (2.0 * h + narrow) + spread + 2.0 * f;
    assert_eq!(kept(r#","kernels":"eager""#), plain);
    // Adapters on the projections from the narrow vectors read those and nothing else.
    let adapters = r#","adapter":{"rank":8,"targets":["q_b_proj","kv_b_proj"]}"#;
    let hidden = 2.0 * 2.0 * h + 4.0 * narrow + spread - 2.0 * f + 2.0 * 2.0 * 8.0;
    assert_eq!(kept(adapters), hidden);
}

#[test]
fn tokens_travel_to_their_experts_and_back() {
    let sent = |rest: &str| -> f64 {
        let json = format!(
            r#"{{"model":"mixtral-8x7b","cluster":{{"gpus":8}},"training":{{"sequence":1024,"global_batch":16,"expert":8{rest}}}}}"#
        );
        let lines = training(&json).traffic;
        let to_experts = lines.iter().filter(|line| line.group == Group::Expert);
        to_experts.map(|line| line.bytes.get()).sum()
    };
    // Two micro-batches, 32 layers, two experts a token; seven of eight copies leave the rank.
    let copies = 2.0 * 32.0 * 2.0 * 1024.0 * 4096.0 * 7.0 / 8.0;
    assert_eq!(sent(""), 4.0 * 2.0 * copies);
    assert_eq!(sent(r#","recompute":"full""#), 6.0 * 2.0 * copies);
    assert_eq!(sent(r#","expert_dispatch":"fp8""#), 2.0 * (2.0 + 1.03125) * copies);
}

#[test]
fn experts_need_no_tensor_collective_unless_they_are_cut() {
    let sent = |layout: &str, collective: Collective, payload: Payload| -> f64 {
        let json = format!(
            r#"{{"model":"mixtral-8x7b","cluster":{{"gpus":2}},"training":{{"sequence":1024,"tensor":2{layout}}}}}"#
        );
        let lines = training(&json).traffic;
        let alike = lines.iter().filter(|line| line.collective == collective && line.payload == payload);
        alike.map(|line| line.bytes.get()).sum()
    };
    // Forward and backward of attention in 32 layers; embedding and head one each.
    let hidden = 2.0 * 1024.0 * 4096.0;
    let scattered = |layout| sent(layout, Collective::ReduceScatter, Payload::Activations);
    assert_eq!(scattered(""), (2.0 * 32.0 + 2.0) * hidden / 2.0);
    assert_eq!(sent("", Collective::ReduceScatter, Payload::Tokens), 0.0);
    // Each of two ranks sends the other its half of the tokens, twice over for two experts, and the same of the result.
    let cut = r#","expert_tensor":2"#;
    assert_eq!(scattered(cut), scattered(""));
    for collective in [Collective::AllGather, Collective::ReduceScatter] {
        assert_eq!(sent(cut, collective, Payload::Tokens), 2.0 * 32.0 * 2.0 * hidden / 2.0);
    }
}

#[test]
fn layers_that_predict_further_tokens_are_trained_and_not_served() {
    let report = report_of(r#"{"model":"deepseek-v3","inference":{"weights":"bf16"}}"#);
    assert_eq!(report.model.parameters, 671_026_419_200.0);
    assert_eq!(report.training.unwrap().stages[0].parameters, 671_026_419_200.0 + 11_610_068_224.0);
    assert_eq!(report.inference.unwrap().weight_bytes, Bytes::whole(2.0 * 671_026_419_200.0));
    assert_eq!(report.gap.state_bytes_per_parameter, Some(16.0));
    // Its logits are kept until its own backward: as many again as the fused loss of the model itself.
    let loss = |layers: u64| {
        let config = format!(
            r#"{{"model_type":"deepseek_v3","hidden_size":512,"intermediate_size":2048,"moe_intermediate_size":512,
            "num_hidden_layers":4,"num_attention_heads":8,"q_lora_rank":128,"kv_lora_rank":64,"qk_nope_head_dim":32,
            "qk_rope_head_dim":16,"v_head_dim":32,"n_routed_experts":8,"num_experts_per_tok":2,"vocab_size":128000,
            "num_nextn_predict_layers":{layers}}}"#
        );
        training(&format!(r#"{{"model":{config},"training":{{"micro_batch":8}}}}"#)).stages[0].accounts[Account::Loss]
            .get()
    };
    assert_eq!(loss(0), 2.0 * 8.0 * 4096.0 * 128_000.0);
    assert_eq!([loss(1), loss(2)], [2.0 * loss(0), 3.0 * loss(0)]);
}

/// Llama 3.1 8B: matrices of attention and MLP, and the rest.
const LLAMA_LINEAR: f64 = 6_979_321_856.0;
const LLAMA_REST: f64 = 1_050_939_392.0;

#[test]
fn adapters_alone_have_gradients_and_moments() {
    let adapted = |adapter: &str| {
        let json = format!(r#"{{"model":"llama-3.1-8b","training":{{"adapter":{adapter}}}}}"#);
        training(&json).stages[0].state
    };
    // Rank 16 on query and output (4096 to 4096) and key and value (4096 to 1024), 32 layers.
    let trained = 32.0 * 16.0 * (2.0 * 8192.0 + 2.0 * 5120.0);
    let lora = adapted(r#"{}"#);
    assert_eq!(lora.weights, Bytes::whole(2.0 * (LLAMA_LINEAR + LLAMA_REST)));
    assert_eq!(lora.gradients, Bytes::whole(2.0 * trained));
    assert_eq!(lora.master_weights, Bytes::whole(4.0 * trained));
    assert_eq!(lora.total, Bytes::whole(2.0 * (LLAMA_LINEAR + LLAMA_REST) + 16.0 * trained));
    // NF4: 4 bits, an 8-bit scale for 64 weights, an fp32 one for 256 of those.
    let bits = 4.0 + 8.0 / 64.0 + 32.0 / (64.0 * 256.0);
    let qlora = adapted(r#"{"kind":"qlora"}"#);
    assert_eq!(qlora.weights, Bytes::whole(bits / 8.0 * LLAMA_LINEAR + 2.0 * LLAMA_REST));
    let plain = adapted(r#"{"kind":"qlora","double_quantization":false}"#);
    assert_eq!(plain.weights, Bytes::whole(4.5 / 8.0 * LLAMA_LINEAR + 2.0 * LLAMA_REST));
}

#[test]
fn an_adapter_behind_dropout_has_its_own_input() {
    let kept = |dropout: f64| {
        let json = format!(
            r#"{{"model":"llama-3.1-8b","framework":"hf-trainer","training":{{"recipe":"bf16-pure","sequence":1024,
            "adapter":{{"targets":"all_linear","dropout":{dropout}}}}}}}"#
        );
        training(&json).stages[0].accounts[Account::Activations].get() / 1024.0 / 32.0
    };
    // Five adapters read the hidden size, one the queries' width (the same), one the MLP's: two bytes and a mask each.
    // What they read is then kept by nobody else but attention's result, which flash attention's backward needs.
    let (h, f) = (4096.0, 14_336.0);
    assert_eq!(kept(0.1) - kept(0.0), 3.0 * (6.0 * h + f) - (2.0 * 2.0 * h + 2.0 * f));
}

#[test]
fn the_host_holds_what_is_moved_there() {
    let moved = |training_half: &str| {
        training(&format!(r#"{{"model":{{"parameters":7e9}},"cluster":{{"gpus":16}},"training":{{{training_half}}}}}"#))
    };
    // Two nodes of eight: each has half of gradients (2), master weights (4) and moments (8).
    let offloaded = moved(r#""sharding":"zero2","offload":"optimizer""#);
    assert_eq!(offloaded.host_bytes, Bytes::whole(14.0 * 7e9 / 2.0));
    assert_eq!(offloaded.stages[0].state.total, Bytes::whole(2.0 * 7e9));
    let everything = moved(r#""sharding":"zero3","offload":"optimizer_and_parameters""#);
    assert_eq!(everything.host_bytes, Bytes::whole(16.0 * 7e9 / 2.0));
    assert_eq!(everything.stages[0].state.total, Bytes::ZERO);
    assert!(everything.stages[0].accounts[Account::GatheredWeights] > Bytes::ZERO);
    let paged = moved(r#""paged_optimizer":true"#);
    assert_eq!(paged.host_bytes, Bytes::whole(8.0 * 8.0 * 7e9));
    assert_eq!(paged.stages[0].state.total, Bytes::whole(8.0 * 7e9));
    // Of 32 layers' tensors two stay.
    let all = moved(r#""recompute":"full""#).stages[0].accounts[Account::Activations].get();
    let left = moved(r#""recompute":"full","activation_offload":true"#);
    assert_eq!(left.stages[0].accounts[Account::Activations].get(), all / 16.0);
    assert_eq!(left.host_bytes.get(), 8.0 * all);
}

#[test]
fn the_host_holds_a_share_of_the_optimizers_states() {
    let moved = |framework: &str, training_half: &str| {
        training(&format!(
            r#"{{"model":{{"parameters":7e9}},"cluster":{{"gpus":16}},"framework":"{framework}",
            "training":{{{training_half}}}}}"#
        ))
    };
    // Two nodes of eight. Of master weights (4) and moments (8), and of the gradients (2) that are updated there, a
    // quarter is on the hosts; each GPU has a sixteenth of the remainder, and all weights (2).
    let quarter = moved("textbook", r#""sharding":"zero2","offload":"optimizer","offload_fraction":0.25"#);
    assert_eq!(quarter.host_bytes, Bytes::whole(0.25 * 14.0 * 7e9 / 2.0));
    assert_eq!(quarter.stages[0].state.total, Bytes::whole(2.0 * 7e9 + 0.75 * 14.0 * 7e9 / 16.0));
    assert_eq!(quarter.stages[0].state.variance, Bytes::whole(0.75 * 4.0 * 7e9 / 16.0));
    // Megatron's gradients (4, whole with ZeRO-1) stay on every GPU.
    let megatron = moved("megatron-core", r#""sharding":"zero1","offload":"optimizer","offload_fraction":0.25"#);
    assert_eq!(megatron.host_bytes, Bytes::whole(0.25 * 12.0 * 7e9 / 2.0));
    assert_eq!(megatron.stages[0].state.gradients, Bytes::whole(4.0 * 7e9));
    assert_eq!(megatron.stages[0].state.total, Bytes::whole(6.0 * 7e9 + 0.75 * 12.0 * 7e9 / 16.0));
    // All of it and none of it are what offloading is without a fraction, and no offloading.
    for framework in ["textbook", "megatron-core", "deepspeed", "pytorch-fsdp2"] {
        let with =
            |offload: &str| moved(framework, &format!(r#""sharding":"zero2","optimizer_step":"foreach"{offload}"#));
        assert_eq!(with(r#","offload":"optimizer","offload_fraction":1"#), with(r#","offload":"optimizer""#));
        assert_eq!(with(r#","offload":"optimizer","offload_fraction":0"#), with(""));
    }
    // What a step makes beside the state, it makes of what is updated on the GPU: the root of the second moment.
    let step = moved(
        "textbook",
        r#""sharding":"zero2","optimizer_step":"foreach","offload":"optimizer","offload_fraction":0.25"#,
    );
    let made = step.stages[0].phases[3].accounts[Account::BackwardTemporaries];
    assert_eq!(made, Bytes::whole(0.75 * 4.0 * 7e9 / 16.0));
}

#[test]
fn a_step_that_is_not_fused_holds_tensors_of_its_own() {
    let step = |training_half: &str| {
        let json = format!(r#"{{"model":"llama-3.1-8b","cluster":{{"gpus":8}},"training":{{{training_half}}}}}"#);
        training(&json).stages[0].phases[3].accounts[Account::BackwardTemporaries].get()
    };
    let (all, head) = (8_030_261_248.0, 128_256.0 * 4096.0);
    assert_eq!(step(r#""sharding":"zero3""#), 0.0);
    // The root of the second moment in fp32, of this rank's eighth.
    assert_eq!(step(r#""sharding":"zero3","optimizer_step":"foreach""#), 4.0 * all / 8.0);
    assert_eq!(step(r#""optimizer_step":"foreach""#), 4.0 * all);
    // The root and what it is divided into, of embedding or head.
    assert_eq!(step(r#""optimizer_step":"for_loop""#), 2.0 * 4.0 * head);
    assert_eq!(step(r#""recipe":"bf16-pure","optimizer_step":"foreach""#), 2.0 * all);
    // SGD: gradients with the weight decay added; Lion: the momentum on its way to a sign.
    assert_eq!(step(r#""recipe":"fp32","optimizer":"sgd","optimizer_step":"for_loop""#), 4.0 * head);
    assert_eq!(step(r#""optimizer":"lion","optimizer_step":"foreach""#), 4.0 * all);
    // In host memory nothing of it is on the GPU.
    assert_eq!(step(r#""sharding":"zero1","offload":"optimizer","optimizer_step":"foreach""#), 0.0);
    // Updated as soon as it has its gradient, each tensor has its own root, during backward.
    let at_once = |step: &str| {
        let json = format!(r#"{{"model":"llama-3.1-8b","training":{{"optimizer_in_backward":true{step}}}}}"#);
        let half = training(&json);
        [2, 3].map(|phase| half.stages[0].phases[phase].accounts[Account::BackwardTemporaries].get())
    };
    let [backward, update] = at_once("");
    assert_eq!(at_once(r#","optimizer_step":"foreach""#), [backward + 4.0 * head, update]);
}

#[test]
fn padding_is_what_the_same_sequences_do_without() {
    let of = |layout: &str, packing: f64, sequence: u64| {
        let json = format!(
            r#"{{"model":"llama-3.1-8b","cluster":{{"gpus":8}},
                "training":{{{layout},"packing":{packing},"sequence":{sequence}}}}}"#
        );
        training(&json)
    };
    for layout in [r#""sharding":"zero3""#, r#""tensor":8,"attention":"eager""#, r#""pipeline":4,"global_batch":16"#] {
        let (padded, packed) = (of(layout, 0.5, 8192), of(layout, 1.0, 4096));
        assert_eq!(packed.padding, None);
        let padding = padded.padding.expect("half of the tokens are padding");
        assert_eq!(padding.share, 0.5);
        assert_eq!(padding.bytes, padded.peak.active_bytes - packed.peak.active_bytes);
        assert!(padding.bytes > Bytes::ZERO && padding.seconds.0 > 0.0, "{layout}");
        let sent = |half: &TrainingReport| half.traffic.iter().map(|line| line.bytes).sum::<Bytes>();
        assert_eq!(padding.traffic_bytes, sent(&padded) - sent(&packed), "{layout}");
        // Weights and gradients travel whole, activations by the token.
        assert_eq!(padding.traffic_bytes > Bytes::ZERO, !layout.contains("zero3"), "{layout}");
        // The useful tokens are the same, and each costs more.
        assert!(padded.step.mfu < packed.step.mfu);
    }
}

#[test]
fn an_optimizer_in_backward_has_one_gradient_at_a_time() {
    let state = training(r#"{"model":"llama-3.1-8b","training":{"recipe":"bf16-pure","optimizer_in_backward":true}}"#)
        .stages[0]
        .state;
    // Embedding and head are the largest tensors.
    assert_eq!(state.gradients, Bytes::whole(2.0 * 128_256.0 * 4096.0));
}

#[test]
fn some_layers_may_be_recomputed_and_others_not() {
    let kept = |recompute: &str| {
        let json = format!(r#"{{"model":"llama-3.1-8b","training":{{{recompute}}}}}"#);
        training(&json).stages[0].accounts[Account::Activations].get()
    };
    let (none, full) = (kept(r#""recompute":"none""#), kept(r#""recompute":"full""#));
    assert_eq!(full, 2.0 * 4096.0 * 4096.0 * 32.0);
    assert_eq!(kept(r#""recompute":"full","recompute_layers":8"#), none * 0.75 + full * 0.25);
    assert_eq!(kept(r#""recompute":"full","recompute_layers":0"#), none);
    // Layer input, query, value, the MLP's gate and down projection, attention's result with its statistics.
    let by_operator = 2.0 * (4096.0 * 4.0 + 1024.0 + 14_336.0) + 4.0 * 32.0;
    assert_eq!(kept(r#""recompute":"selective_ops""#), by_operator * 4096.0 * 32.0);
}

#[test]
fn a_gradient_that_is_added_up_is_first_a_tensor_of_its_own() {
    let backward = |training_half: &str| {
        let json = format!(r#"{{"model":"llama-3.1-8b","training":{{"global_batch":4{training_half}}}}}"#);
        training(&json).stages[0].phases[1].bytes.get()
    };
    // Embedding and head are the largest tensors; their new gradient is in 16 bits.
    let fused = backward(r#","gradient_accumulation_fusion":true"#);
    assert_eq!(backward("") - fused, 2.0 * 128_256.0 * 4096.0);
    assert_eq!(backward(r#","kernels":"transformer_engine""#), fused);
}

#[test]
fn an_adapter_of_the_head_keeps_its_own_input() {
    let edges = |adapter: &str| {
        let json = format!(
            r#"{{"model":"llama-3.1-8b","training":{{"sequence":1024,"adapter":{{"rank":8,"targets":{adapter}}}}}}}"#
        );
        training(&json).stages[0].accounts[Account::EdgeActivations].get() / 1024.0
    };
    let h = 4096.0;
    assert_eq!(edges(r#"["q_proj"]"#), 2.0 * h, "what the final norm reads");
    assert_eq!(edges(r#"["lm_head"]"#), 4.0 * h + 2.0 * 8.0);
    assert_eq!(edges(r#"["lm_head"],"dropout":0.1"#), 2.0 * h + 2.0 * 8.0 + 3.0 * h);
}

#[test]
fn the_largest_numbers_do_not_wrap_around() {
    // Heads of five thousand predictions over a vocabulary padded to 10^11: more than 64 bits hold.
    let report = report_of(
        r#"{"model":{"model_type":"deepseek_v3","hidden_size":500000,"intermediate_size":200000,
            "moe_intermediate_size":100000,"num_hidden_layers":1,"num_attention_heads":100000,"q_lora_rank":1,
            "kv_lora_rank":1,"qk_nope_head_dim":1,"qk_rope_head_dim":1,"v_head_dim":1,"n_routed_experts":1,
            "num_experts_per_tok":1,"vocab_size":10,"num_nextn_predict_layers":4000},"cluster":{"gpus":100000},
            "training":{"tensor":100000,"sequence":100000,"vocab_multiple":1000000}}"#,
    );
    let flops = report.training.unwrap().step.hardware_flops_per_token;
    assert!(flops > 6.0 * 4000.0 * 1e11 * 5e5, "{flops}");
}

#[test]
fn every_process_group_has_a_communicator_and_the_first_all_to_all_its_buffers() {
    const MIB: f64 = 1_048_576.0;
    let runtime = |model: &str, layout: &str| {
        let json = format!(
            r#"{{"model":"{model}","framework":"megatron-core","cluster":{{"gpus":32}},"training":{{{layout}}}}}"#
        );
        training(&json).stages[0].accounts[Account::Runtime].get()
    };
    let (context, pair, larger, exchange) = (512.0 * MIB, 544.0 * MIB, 688.0 * MIB, 3.28e9);
    assert_eq!(runtime("llama-3.1-8b", ""), context + larger);
    // Two tensor ranks, two stages, four context ranks, two data-parallel ones, which share with those of their context.
    let layout = r#""tensor":2,"pipeline":2,"context":4"#;
    assert_eq!(runtime("llama-3.1-8b", layout), context + 2.0 * pair + 2.0 * larger);
    let heads = r#""context":4,"context_method":"ulysses""#;
    assert_eq!(runtime("llama-3.1-8b", heads), context + 2.0 * larger + exchange);
    // Sixteen ranks hold all experts, and two of the thirty-two the same ones.
    assert_eq!(runtime("qwen3-30b-a3b", r#""expert":16"#), context + larger + pair + exchange);
    assert_eq!(runtime("qwen3-30b-a3b", r#""expert":32"#), context + larger + exchange);
}
