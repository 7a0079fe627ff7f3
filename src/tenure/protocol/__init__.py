"""Kafka's protocol: conversion of bytes to messages, records and batches, and back. No I/O, and no rules of groups."""
