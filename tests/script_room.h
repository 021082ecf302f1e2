// SPDX-License-Identifier: MIT
// The world that scripts are tried in.
#ifndef OCTANT_TESTS_SCRIPT_ROOM_H
#define OCTANT_TESTS_SCRIPT_ROOM_H

// One room, 20 by 7.5 by 15 m: a panel with two buttons, a door in an inner wall, a target behind
// it. Button 0 toggles the door.
static const char script_room[] =
    "{\"format\": \"octant-world\", \"version\": 1, \"name\": \"room\", \"up\": \"y\","
    "\"handed\": \"right\", \"passage\": 2.5,"
    "\"start\": {\"position\": [3.77, 2.87, 6.27], \"forward\": [1, 0, 0], \"up\": [0, 1, 0]},"
    "\"bounds\": [0.02, 0.02, 0.02, 20.02, 7.52, 15.02],"
    "\"grids\": [{\"id\": 1, \"name\": \"house\", \"position\": [1.27, 1.27, 1.27]}],"
    "\"types\": [{\"name\": \"armour\", \"integrity\": 400},"
    "{\"name\": \"lamp\", \"opaque\": false, \"integrity\": 20},"
    "{\"name\": \"door\", \"kind\": \"door\", \"integrity\": 250},"
    "{\"name\": \"panel\", \"kind\": \"panel\", \"buttons\": 2, \"integrity\": 40},"
    "{\"name\": \"TargetDummy\", \"kind\": \"target\", \"integrity\": 100}],"
    "\"blocks\": ["
    "{\"id\": 1, \"type\": \"door\", \"name\": \"Door\", \"grid\": 0, \"cell\": [4, 1, 2],"
    " \"forward\": \"right\"},"
    "{\"id\": 2, \"type\": \"panel\", \"name\": \"Panel\", \"grid\": 0, \"cell\": [2, 1, 4],"
    " \"forward\": \"forward\"},"
    "{\"id\": 3, \"type\": \"TargetDummy\", \"name\": \"Target\", \"grid\": 0, \"cell\": [6, 1, 2],"
    " \"forward\": \"left\"},"
    "{\"id\": 4, \"type\": \"lamp\", \"name\": \"Lamp\", \"grid\": 0, \"cell\": [1, 1, 1]}],"
    "\"fills\": ["
    "{\"grid\": 0, \"type\": \"armour\", \"from\": [0, 0, 0], \"to\": [7, 2, 5]},"
    "{\"grid\": 0, \"from\": [1, 1, 1], \"to\": [3, 1, 4]},"
    "{\"grid\": 0, \"from\": [5, 1, 1], \"to\": [6, 1, 4]}],"
    "\"wires\": [{\"from\": 2, \"slot\": 0, \"action\": \"toggle\", \"to\": 1}]}";

#endif
