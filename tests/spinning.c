// SPDX-License-Identifier: MIT
// For the command: scripts have a function `spin`, which never returns, and a short limit of time.
#include "script/script_internal.h"

void __real_oct_bind_players(lua_State *L);
void __wrap_oct_bind_players(lua_State *L);
script_limits __real_oct_script_limits_default(void);
script_limits __wrap_oct_script_limits_default(void);

static int spin(lua_State *L)
{
    for (volatile uint64_t turns = 0;; turns = turns + 1) {
    }
    return lua_gettop(L);
}

void __wrap_oct_bind_players(lua_State *L)
{
    __real_oct_bind_players(L);
    lua_register(L, "spin", spin);
}

script_limits __wrap_oct_script_limits_default(void)
{
    script_limits limits = __real_oct_script_limits_default();
    limits.seconds = 0.5;
    return limits;
}
