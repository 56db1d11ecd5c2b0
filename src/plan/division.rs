//! Over how many ranks a layout cuts tensors.

/// Over how many ranks a layout cuts tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// Tensor-parallel ranks.
    pub tensor: u64,
    /// Ranks over which the experts of a layer are spread.
    pub expert: u64,
    /// Tensor-parallel ranks inside an expert.
    pub expert_tensor: u64,
}
