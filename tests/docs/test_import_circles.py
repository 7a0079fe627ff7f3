"""No module of the package imports itself by way of others, not even for types."""

from graphlib import TopologicalSorter

import grimp


def test_imports__of_all_modules__no_circular_import() -> None:
    graph = grimp.build_graph("tenure", cache_dir=None)
    packages = {module for module in graph.modules if graph.find_children(module)}  # `__init__` files only name things.
    imports = {
        module: graph.find_modules_directly_imported_by(module) - packages for module in graph.modules - packages
    }
    TopologicalSorter(imports).prepare()  # Raises CycleError, which names the modules.
