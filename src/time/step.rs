//! The time of an optimiser step: products, what communication they do not hide, and the update.

use crate::communication::{Planned, Traffic, Window};
use crate::report::Step;
use crate::resolve::{Cluster, Model, TrainingPlan};
use crate::training::{Parts, moments};
use crate::units::Seconds;

use super::flops;

/// Settles what each line of traffic hides, and adds the step up.
///
/// Optimistic on purpose: no stragglers, no input pipeline, no kernel launches; measured steps are longer, and the more
/// so the more GPUs take part.
#[must_use]
pub fn step(
    model: &Model,
    plan: &TrainingPlan,
    parts: &Parts,
    cluster: &Cluster,
    planned: Vec<Planned>,
) -> (Step, Vec<Traffic>) {
    let gpus = cluster.gpus as f64;
    let hardware = flops::hardware(model, plan);
    let peak = cluster.gpu.peak.rate(plan.recipe.compute);
    let rate = peak * plan.mfu_ceiling;
    let tokens = plan.step_tokens();
    let seconds_of = |per_token: f64| per_token * tokens / (gpus * rate);
    let micro_batches = plan.accumulation as f64;
    let windows = [seconds_of(hardware.forward) / micro_batches, seconds_of(hardware.backward) / micro_batches];

    let traffic = hide(planned, plan, windows, model.architecture.layers as f64);
    let compute = seconds_of(hardware.total());
    let exposed: Seconds = traffic.iter().map(|line| line.exposed_seconds).sum();
    let optimizer = optimizer_seconds(plan, parts, cluster);
    let seconds = compute + exposed.0 + optimizer;
    let model_flops = flops::palm(model, plan.sequence as f64);
    let of_peak = |per_token: f64| per_token * tokens / (seconds * gpus * peak);
    let step = Step {
        seconds: Seconds(seconds),
        compute_seconds: Seconds(compute),
        exposed_communication_seconds: exposed,
        bubble_seconds: Seconds(0.0),
        optimizer_seconds: Seconds(optimizer),
        waiting_share: exposed.0 / seconds,
        tokens_per_second_per_gpu: tokens / seconds / gpus,
        model_flops_per_token: model_flops,
        hardware_flops_per_token: hardware.total(),
        mfu: of_peak(model_flops),
        hfu: of_peak(hardware.total()),
    };
    (step, traffic)
}

/// What computation hides of each line. The lines of one window share it; what one layer needs before it can start, or
/// sends after it is done, is never hidden: a layer's share of each line.
fn hide(planned: Vec<Planned>, plan: &TrainingPlan, windows: [f64; 2], layers: f64) -> Vec<Traffic> {
    let room_of = |window| match window {
        Window::None => 0.0,
        Window::Forward(micro_batches) => windows[0] * micro_batches,
        Window::Backward(micro_batches) => windows[1] * micro_batches,
    };
    let same = |a: Window, b: Window| {
        matches!((a, b), (Window::Forward(_), Window::Forward(_)) | (Window::Backward(_), Window::Backward(_)))
    };
    let claims: Vec<f64> = planned
        .iter()
        .map(|line| planned.iter().filter(|other| same(line.window, other.window)).map(|o| o.traffic.seconds.0).sum())
        .collect();
    planned
        .into_iter()
        .zip(claims)
        .map(|(line, claimed)| {
            let seconds = line.traffic.seconds.0;
            let share = if claimed > 0.0 { seconds / claimed } else { 0.0 };
            let hideable = seconds * (1.0 - 1.0 / layers);
            let hidden = (room_of(line.window) * share).min(plan.data_overlap * hideable);
            Traffic { exposed_seconds: Seconds(seconds - hidden), ..line.traffic }
        })
        .collect()
}

/// The update reads gradients, reads and writes master weights and moments, and writes the weights; memory bandwidth
/// bounds it. With `bf16-mixed-fp32-gradients` that is the 30 bytes a parameter that published steps fit.
fn optimizer_seconds(plan: &TrainingPlan, parts: &Parts, cluster: &Cluster) -> f64 {
    let recipe = &plan.recipe;
    let [shards, expert_shards] = plan.shards()[2];
    let parameters = parts.trained.common_local / shards + parts.trained.experts_local / expert_shards;
    let moments: f64 = moments(parts, plan).iter().map(|entry| entry.bytes.get()).sum();
    // Without master weights the weights themselves are read as well as written.
    let weights = if recipe.master > 0.0 { recipe.weights } else { 2.0 * recipe.weights };
    let bytes = (recipe.gradients + recipe.gradient_copy + 2.0 * recipe.master + weights) * parameters + 2.0 * moments;
    bytes / (cluster.gpu.bandwidth * cluster.memory_efficiency)
}
