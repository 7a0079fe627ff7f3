"""Migration between the classic and the consumer protocol: conversion of groups, and groups with members of both."""
