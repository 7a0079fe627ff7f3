"""Migration between the two protocols: conversion of groups with members, and groups with members of both."""
