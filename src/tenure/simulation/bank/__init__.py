"""A bank: transfers from one topic are entered into another, in transactions, while everything goes wrong."""
