"""`tenure pipeline prepare`: write an archive of Spark's classes, so that applications start faster."""

from tenure.cli.output import Json, print_json, print_message, print_result


def prepare(json: Json = False) -> None:
    """Create a class archive that makes Spark start faster.

    The archive contains the Java classes that Spark loads. It needs about 200 MB in this Python environment. Its
    creation takes as long as a few starts of Spark. Run the command where the environment is built, for example for a
    container image, and again after an upgrade of Java or pyspark.
    """
    from tenure.spark.java.class_archive import archive_path, make_archive
    from tenure.spark.java.java_runtime import java_home
    from tenure.spark.spark_versions import require_pyspark

    require_pyspark()
    archive = archive_path(java_home())
    make_archive(archive, print_message)
    size_bytes = archive.stat().st_size
    if json:
        print_json({"archive": str(archive), "size_bytes": size_bytes})
    else:
        print_result(f"Wrote {archive} ({size_bytes // 1_000_000} MB).")
