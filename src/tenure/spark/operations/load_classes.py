"""Program that loads the Java classes that pipelines need, so that Java can archive them.

`java/class_archive.py` starts it as a child process, and reads its progress from standard output.
"""

from tenure.spark.java.class_archive import PROGRESS
from tenure.spark.spark_session import local_session
from tenure.spark.workers.warm_up import warm_up


def load_classes() -> None:
    """Start Spark, use all its parts that pipelines need, and let Java write an archive of the loaded classes."""
    report("starting Spark ...")
    spark = local_session("classes", cores=2)
    report("running queries, to load the classes that they use ...")
    warm_up(spark.sparkContext)
    spark._jsparkSession.streams()
    numbers = spark.range(10).selectExpr("id", "id % 2 as part")
    numbers.groupBy("part").count().mapInArrow(lambda batches: batches, "part long, count long").collect()
    numbers.write.parquet("numbers")
    spark.read.parquet("numbers").toPandas()
    java = spark.sparkContext._gateway.proc
    spark.stop()
    report("writing the archive ...")
    java.stdin.close()  # Java ends when its input ends, and writes the archive before it exits.
    java.wait()


def report(step: str) -> None:
    print(f"{PROGRESS}{step}", flush=True)


if __name__ == "__main__":
    load_classes()
