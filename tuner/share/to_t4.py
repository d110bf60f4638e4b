#!/usr/bin/env python3
"""Converts measurements of another tool to a T4 file, which autotune reads:

  to_t4.py ktt FILE > OUT.json          JSON of KTT, its own or T4
  to_t4.py clblast FILE > OUT.json      JSON that a tuner of CLBlast writes
  to_t4.py csv FILE --time COLUMN --unit ms --parameters A,B,... > OUT.json

FILE may be compressed by gzip. The standard library suffices.
"""
import argparse
import csv
import gzip
import io
import json
import sys

UNITS = {"ns": "nanoseconds", "us": "microseconds", "ms": "milliseconds", "s": "seconds"}
# KTT's statuses and their T4 names
KTT_FAILURES = {"CompilationFailed": "compile", "ComputationFailed": "runtime",
                "DeviceLimitsExceeded": "constraints", "ValidationFailed": "correctness"}


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return data.decode("utf-8-sig")


def value_of(text):
    """The number, truth value or word in a text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def is_time(value):
    # failures have 0, -1, 1e20, infinity, NaN or a word instead of a time
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e20


def row_of(configuration, time, unit, invalidity="correct", **times):
    """One result of a T4 file; times are in the unit of the file."""
    if invalidity == "correct" and not is_time(time):
        invalidity = "runtime"
    is_correct = invalidity == "correct"
    return {"configuration": configuration,
            "times": {"runtimes": [], **{k: v for k, v in times.items() if is_time(v)}},
            "invalidity": invalidity, "correctness": int(is_correct),
            "measurements": [{"name": "time", "value": time, "unit": unit}] if is_correct else [],
            "objectives": ["time"]}


def file_of(rows, unit, **metadata):
    return {"schema_version": "1.0.0",
            "metadata": {"timeunit": UNITS[unit], **{k: v for k, v in metadata.items() if v}},
            "results": rows}


def convert_ktt(arguments):
    data = json.loads(read(arguments.file))
    if "Results" not in data:
        # KTT's T4 files have their values as texts
        for row in data["results"]:
            row["configuration"] = {name: value_of(str(value))
                                    for name, value in row["configuration"].items()}
        data["metadata"]["autotuner"] = "KTT by to_t4.py"
        return data
    long_name = data["Metadata"]["TimeUnit"].lower()
    unit = {name: short for short, name in UNITS.items()}[long_name]
    kernels = sorted({row["KernelName"] for row in data["Results"]})
    kernel = arguments.kernel or (kernels[0] if len(kernels) == 1 else None)
    if kernel not in kernels:
        raise ValueError("has results of " + ", ".join(kernels) + ": choose one with --kernel")
    rows = []
    for row in data["Results"]:
        if row["KernelName"] != kernel:
            continue
        status = row.get("Status", "Ok")
        rows.append(row_of(
            {pair["Name"]: pair["Value"] for pair in row["Configuration"]},
            row.get("TotalDuration"), unit,
            "correct" if status == "Ok" else KTT_FAILURES.get(status, "runtime"),
            compilation_time=row.get("CompilationOverhead"),
            benchmark_time=row.get("TotalDuration"),
            validation=row.get("ValidationOverhead")))
    return file_of(rows, unit, kernel=kernel, device=data["Metadata"].get("Device"))


def convert_clblast(arguments):
    data = json.loads(read(arguments.file))
    rows = [row_of(row["parameters"], row["time"], "ms") for row in data["results"]]
    return file_of(rows, "ms", kernel=data.get("kernel_family"),
                   device=data.get("clblast_device_name", data.get("device")))


def convert_csv(arguments):
    reader = csv.DictReader(io.StringIO(read(arguments.file), newline=""),
                            delimiter=arguments.delimiter)
    names = arguments.parameters.split(",")
    wanted = names + [arguments.time] + ([arguments.valid] if arguments.valid else [])
    missing = [name for name in wanted if name not in (reader.fieldnames or [])]
    if missing:
        raise ValueError(f'has no column "{missing[0]}"; its columns are: '
                         + ", ".join(reader.fieldnames or []))
    rows = []
    for row in reader:
        if None in row or None in row.values():
            raise ValueError(f"line {reader.line_num} has another number of cells than line 1")
        text = row[arguments.time].strip()
        time = value_of(text)
        if isinstance(time, str) and text[:1].isdigit():
            raise ValueError(f'line {reader.line_num}: expected a time such as 1.5, found "{text}"')
        is_valid = not arguments.valid or value_of(row[arguments.valid].strip()) in (True, 1)
        rows.append(row_of({name: value_of(row[name].strip()) for name in names},
                           time, arguments.unit, "correct" if is_valid else "correctness"))
    return file_of(rows, arguments.unit)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tools = parser.add_subparsers(dest="tool", required=True)
    for name, convert in (("ktt", convert_ktt), ("clblast", convert_clblast),
                          ("csv", convert_csv)):
        tool = tools.add_parser(name)
        tool.add_argument("file")
        tool.set_defaults(convert=convert)
        if name == "ktt":
            tool.add_argument("--kernel", help="take the results of this kernel")
        if name == "csv":
            tool.add_argument("--time", required=True, help="the column that has the times")
            tool.add_argument("--unit", required=True, choices=UNITS, help="their unit")
            tool.add_argument("--parameters", required=True,
                              help="the columns that are parameters, separated by commas")
            tool.add_argument("--valid", help="a column that says which results are correct")
            tool.add_argument("--delimiter", default=",", help="between cells")
    arguments = parser.parse_args()
    try:
        json.dump(arguments.convert(arguments), sys.stdout, indent=1)
    except KeyError as error:
        sys.exit(f"to_t4.py: {arguments.file}: has no {error}, as {arguments.tool} would write it")
    except (OSError, TypeError, ValueError) as error:
        sys.exit(f"to_t4.py: {arguments.file}: {error}")


if __name__ == "__main__":
    main()
