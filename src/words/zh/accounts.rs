//! What the accounts of the ledger are called, short enough for a bar.

use crate::ledger::Account;

/// An account.
pub fn account(account: Account) -> &'static str {
    match account {
        Account::Weights => "权重",
        Account::Gradients => "梯度",
        Account::MasterWeights => "FP32 主权重",
        Account::Momentum => "一阶动量",
        Account::Variance => "二阶动量",
        Account::Adapters => "适配器",
        Account::GatheredWeights => "聚合权重",
        Account::Activations => "激活",
        Account::EdgeActivations => "首尾激活",
        Account::Loss => "损失",
        Account::BackwardTemporaries => "反向临时张量",
        Account::CommunicationBuffers => "通信缓冲区",
        Account::KvCache => "键值缓存",
        Account::Workspace => "工作区",
        Account::Runtime => "运行时",
        Account::Slack => "分配器余量",
    }
}
