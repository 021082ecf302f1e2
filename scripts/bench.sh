#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the measurements in full. Where the generator of the reference scenes is at hand, its scenes
# are made once and measured instead of our own of the same name, so that figures can be compared
# with those that others measured on them. OCTANT_TOOLS is the folder of the generator.
set -eu
cd "$(dirname "$0")/.."

generator=${OCTANT_TOOLS:-../shared/tools}/gen_scenes.py
scenes=build/scenes
mkdir -p $scenes
if [ -f "$generator" ] && command -v python3 >/dev/null; then
    for kind in clusters sparse wall; do
        [ -f $scenes/$kind.3dmap ] && [ -f $scenes/$kind.boxes ] && continue
        echo "Making the reference scene $kind ..."
        python3 "$generator" $kind 1 $scenes/new_$kind
        mv $scenes/new_$kind.3dmap $scenes/$kind.3dmap
        mv $scenes/new_$kind.boxes $scenes/$kind.boxes
        rm -f $scenes/new_$kind.*
    done
else
    echo "No generator of reference scenes here: measuring our own."
fi
build/octant bench --scenes $scenes --csv build/bench.csv
echo
echo "Worlds explored, beside the figures of Hoekzema 2024 (takes minutes):"
build/octant bench table worlds --csv build/table_worlds.csv
echo
echo "Search on octrees, beside the figures of He and Hung 2016:"
build/octant bench table mesh --csv build/table_mesh.csv
echo
echo "Many units, beside the figures of Abdo 2017:"
build/octant bench table units --csv build/table_units.csv
echo
echo "Flights in our own worlds (takes minutes):"
build/octant bench table flights --csv build/table_flights.csv
echo
echo "Puzzles, played by agents (takes minutes):"
build/octant bench table puzzles --csv build/table_puzzles.csv
