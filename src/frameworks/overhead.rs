//! Memory that a run allocates outside its tensors, where a profile counts it.

use crate::units::MIB;

/// Bytes of the device context: assumed, 0.3 to 0.55 GiB on data-centre cards in public logs.
pub const DEVICE_CONTEXT: f64 = 512.0 * MIB;
/// Bytes of a communicator of two ranks (NVIDIA/nccl issue 964).
pub const PAIR_COMMUNICATOR: f64 = 544.0 * MIB;
/// Bytes of a larger communicator (NVIDIA/nccl issue 964).
pub const LARGE_COMMUNICATOR: f64 = 688.0 * MIB;
/// Bytes that the first all-to-all makes (NVIDIA/nccl issue 1685: 4.34 GB behind it, 1.06 before).
pub const ALL_TO_ALL: f64 = 3.28e9;
/// Workspaces of matrix libraries on Ampere and older (residual in Megatron-LM's golden values).
pub const LIBRARIES_AMPERE: f64 = 75.0 * MIB;
/// The same on Hopper and newer.
pub const LIBRARIES_HOPPER: f64 = 101.0 * MIB;
