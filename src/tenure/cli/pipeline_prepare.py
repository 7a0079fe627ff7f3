"""`tenure pipeline prepare`: what makes applications of this host start sooner, made once."""

from tenure.cli.output import Json, print_json, say, tell


def prepare(json: Json = False) -> None:
    """Have Spark start a good deal sooner on this host.

    Java keeps an archive of the classes that Spark loads, in this Python environment; it takes some 200 MB, and about
    as long as a few starts of Spark to make. Run it again after Java or pyspark was upgraded. Best done where the
    environment is made: in an image's build, say.
    """
    from tenure.spark.class_archive import archive_of, make_archive
    from tenure.spark.java import java_home
    from tenure.spark.spark_session import require_pyspark

    require_pyspark()
    archive = archive_of(java_home())
    say("starting Spark, to see which classes it loads ...")
    make_archive(archive)
    size_bytes = archive.stat().st_size
    if json:
        print_json({"archive": str(archive), "size_bytes": size_bytes})
    else:
        tell(f"Wrote {archive} ({size_bytes // 1_000_000} MB).")
