//! Mamba (arXiv 2312.00752): nothing but state spaces. Every element of the inner width is a head of its own, with as many
//! numbers of state.

use super::further::List;
use super::layers::Kinds;
use super::row::{DECODER, Family, Width};
use super::{HfConfig, Named, dimension, limit};
use crate::model::{KeptSize, Layers, Linear, Role};
use crate::refusal::FieldError;

/// Tokens between two states that the scan keeps, of two numbers each.
const SCAN: u64 = 2048;

pub const MAMBA: Family = Family {
    name: "Mamba",
    model_types: &["mamba"],
    tied: true,
    norms: |_| 1,
    rotated: |_| 0.0,
    positions: None,
    kinds,
    // There is no MLP; what stands for its width is of no account.
    mlp_width: Width::Hidden(1),
    further: |keys, _, list| {
        let rank = keys.time_step_rank.and_then(|rank| rank.0).unwrap_or(list.shape.hidden.div_ceil(16));
        list.mamba(rank, keys.use_bias == Some(true), keys.use_conv_bias != Some(false));
        Ok(())
    },
    ..DECODER
};

/// The same tensors.
pub const FALCON_MAMBA: Family = Family { name: "Falcon Mamba", model_types: &["falcon_mamba"], ..MAMBA };

fn kinds(keys: &HfConfig, _: &Family, (key, stated): Named) -> Result<Kinds, FieldError> {
    let layers = dimension(key, stated, limit::LAYERS)?;
    let hidden = dimension("hidden_size", keys.hidden_size, limit::HIDDEN)?;
    let expand = dimension("expand", Some(keys.expand.unwrap_or(2)), 100)?;
    // Where the file has a width too, its class makes it anew from these two.
    let inner = expand * hidden;
    let linear = Linear {
        layers,
        key_heads: 0,
        value_heads: dimension("expand", Some(inner), limit::MLP_WIDTH)?,
        key_dim: dimension("state_size", Some(keys.state_size.unwrap_or(16)), limit::HEAD_DIM)?,
        value_dim: 1,
        kernel: kernel(keys)?,
    };
    Ok(Kinds { layers, linear: Some(linear), without_mlp: layers, ..Kinds::default() })
}

/// Tokens the convolution of a state space sees.
pub fn kernel(keys: &HfConfig) -> Result<u64, FieldError> {
    dimension("conv_kernel", Some(keys.conv_kernel.unwrap_or(4)), 1000)
}

impl List<'_> {
    /// Input and gate; from the convolved input a narrow step, and what goes into and comes out of the state; the step
    /// made wide; a rate for each number of the state, and a skip.
    fn mamba(&mut self, rank: u64, bias: bool, convolution_bias: bool) {
        let Some(linear) = self.shape.linear else { return };
        let (hidden, inner, state, kind) = (self.shape.hidden, linear.value_width(), linear.key_dim, Layers::Linear);
        self.each(Role::LinearInput, kind, [inner, hidden], 1);
        self.each(Role::LinearGate, kind, [inner, hidden], 1);
        self.each(Role::LinearVector, kind, [2 * inner + hidden, 1], u64::from(bias));
        self.each(Role::LinearConvolution, kind, [inner, linear.kernel], 1);
        self.each(Role::LinearVector, kind, [inner, 1], u64::from(convolution_bias));
        self.each(Role::LinearRates, kind, [rank + 2 * state, inner], 1);
        self.each(Role::LinearRates, kind, [inner, rank], 1);
        self.each(Role::LinearVector, kind, [inner, 1], 2);
        self.each(Role::LinearVector, kind, [inner * state, 1], 1);
        self.each(Role::LinearOutput, kind, [hidden, inner], 1);
        // Input and gate, the result; the narrow step, and what goes into and comes out of the state, with a copy.
        self.keep(KeptSize::Element, kind, 3 * inner + rank + 4 * state);
        // The state now and then.
        self.keep(KeptSize::Single, kind, (2 * inner * state).div_ceil(SCAN));
    }
}
