#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds pages against the CSV files that their figures come from.

    docs_figures.py [--write] PAGE...      run from the top of the source

A page names its data, and each statement its check, in comments that readers do not see:

    <!-- data: flat = bench/results/amd-epyc-2core-table-flat.csv -->
    <!-- let: excess = lambda row: 100 * (row.ratio - 1) -->

    Theta* is at most 0.3 % longer than the shortest.
    <!-- check: all(excess(row) <= 0.3 for row in flat(label="Theta*")) -->

    <!-- cells: sig(flat.one(table="size", label=row, size=column).path_us) -->
    | us | 32 | 64 |
    |---|---|---|
    | Theta\\* | 42.2 | 133 |

    Freeman saw up to half of the time on small maps.
    <!-- source: Freeman 2014, 3.3.5 -->

`check` is a Python expression that must be true; `cells` gives the text of every cell of the table
below it but those of its first row and column, which are `column` and `row`. `source` says where a
figure is from that is not ours; `from` which command or test shows it, where no CSV file does.
A paragraph, list item or table with a figure and without a mark is a mistake: that is what keeps
new sentences honest. --write fills the cells of tables in.
"""
import csv
import re
import sys

MARK = re.compile(r"<!-- (data|let|check|cells|source|from): (.*?) -->", re.S)
COMMENT = re.compile(r"<!--.*?-->", re.S)
# What holds digits and is no figure: code, links, years of papers, "2D", "3D", names of files.
HARMLESS = re.compile(r"`[^`]*`|\([A-Z][^()]*?(?:19|20)\d\d[^()]*\)|\]\([^)]*\)|[\w.-]+\.md|\b[A-Z][\w']+ (?:\w+ )?(?:and \w+ )?(?:19|20)\d\d\b"
                      r"|\b[23]D\b")


class Row:
    """A row of a CSV file: fields as attributes, as numbers where they are some."""

    def __init__(self, fields):
        for name, text in fields.items():
            setattr(self, name, as_value(text))


class Data:
    """The rows of a CSV file. data(field=value, ...) are those that agree, data.one(...) the one."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            self.rows = [Row(fields) for fields in csv.DictReader(file)]

    def __call__(self, **wanted):
        wanted = {name: as_value(str(value)) for name, value in wanted.items()}
        found = [row for row in self.rows
                 if all(getattr(row, name) == value for name, value in wanted.items())]
        if not found:
            raise LookupError(f"no row has {wanted}")
        return found

    def one(self, **wanted):
        found = self(**wanted)
        if len(found) > 1:
            raise LookupError(f"{len(found)} rows have {wanted}")
        return found[0]


def as_value(text):
    try:
        return float(text)
    except ValueError:
        return text


def sig(value, digits=3):
    """So many significant digits, as a reader wants them: 0.0167, 7.77, 201, 31601."""
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e" in text and abs(value) >= 1 else text


def grouped(value):
    """A whole number in groups of three: 196 726."""
    return f"{value:,.0f}".replace(",", " ")


HELPERS = {"sig": sig, "grouped": grouped}


def blocks_of(text):
    """Paragraphs, list items and tables, each with the line it begins at; no fenced code."""
    block, first, fenced = [], 0, False
    for number, line in enumerate(text.split("\n") + [""], 1):
        fence = line.startswith("```")
        ends = not line.strip() or fence or fenced or line.startswith("    ") and not block
        if (ends or re.match(r"[-*] |\d+\. ", line)) and block:
            yield first, "\n".join(block)
            block = []
        if fence:
            fenced = not fenced
        if not ends:
            first = first if block else number
            block.append(line)


def plain(text):
    return re.sub(r"^\*\*(.*)\*\*$", r"\1", text.strip()).replace("\\*", "*")


def fill(block, expression, names):
    """The table of a block with its cells as they should be."""
    lines, head = [], None
    for line in block.split("\n"):
        if not line.startswith("|"):
            lines.append(line)
            continue
        cells = line.strip().strip("|").split("|")
        if head is None:
            head = [plain(cell) for cell in cells]
        elif not set(line) <= set("|-: "):
            bold = ["**" if cell.strip().startswith("**") else "" for cell in cells]
            values = [eval(expression, names, {"row": plain(cells[0]), "column": column})
                      for column in head[1:]]
            line = "|" + cells[0] + "|" + "|".join(
                f" {mark}{value}{mark} " for mark, value in zip(bold[1:], values)) + "|"
        lines.append(line)
    return "\n".join(lines)


def check_page(path, write):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    names, mistakes, out = dict(HELPERS), [], text
    for line, block in blocks_of(text):
        if block.startswith("#"):
            continue
        marks = MARK.findall(block)
        shown = HARMLESS.sub(" ", COMMENT.sub(" ", block))
        if re.search(r"\d", shown) and not any(kind not in ("data", "let") for kind, _ in marks):
            digits = re.search(r".{0,30}\d.{0,30}", shown).group().strip()
            mistakes.append(f"{path}:{line}: a figure without a mark: {digits}")
        for kind, what in marks:
            what = " ".join(what.split())
            try:
                if kind == "data":
                    name, file = what.split(" = ")
                    names[name] = Data(file)
                elif kind == "let":
                    name, value = what.split(" = ", 1)
                    names[name] = eval(value, names)
                elif kind == "check" and not eval(what, names):
                    mistakes.append(f"{path}:{line}: not true: {what}")
                elif kind == "cells":
                    wanted = fill(block, what, names)
                    if wanted != block:
                        out = out.replace(block, wanted)
                        pairs = zip(block.split("\n"), wanted.split("\n"))
                        first = next((a, b) for a, b in pairs if a != b)
                        mistakes.append(f"{path}:{line}: the table has {first[0]}, the data {first[1]}")
            except Exception as error:  # whatever a page's expression does wrong
                mistakes.append(f"{path}:{line}: {what}: {error}")
    if write and out != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(out)
    return mistakes


def main():
    write = "--write" in sys.argv
    pages = [word for word in sys.argv[1:] if word != "--write"]
    mistakes = [mistake for page in pages for mistake in check_page(page, write)]
    print("\n".join(mistakes), end="\n" if mistakes else "")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
