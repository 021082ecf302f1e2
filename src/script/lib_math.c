// SPDX-License-Identifier: MIT
// math: the same bits on every machine. What IEEE 754 rounds correctly (sqrt, floor, fmod) stays
// Lua's; what libm rounds as it likes is our own, of additions, multiplications and divisions.
#include "script/script_internal.h"

#include "geom/geom_internal.h"

#include <lualib.h>

#include <math.h>

#define EXP_MAX 710.0    // beyond it is infinite
#define EXP_MIN (-746.0) // 0
static const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
static const double sqrt_half = 0x1.6a09e667f3bcdp-1;

// ---- angles ----

static int math_sin(lua_State *L)
{
    double sine, cosine;
    oct_sin_cos(luaL_checknumber(L, 1), &sine, &cosine);
    lua_pushnumber(L, sine);
    return 1;
}

static int math_cos(lua_State *L)
{
    double sine, cosine;
    oct_sin_cos(luaL_checknumber(L, 1), &sine, &cosine);
    lua_pushnumber(L, cosine);
    return 1;
}

static int math_tan(lua_State *L)
{
    double sine, cosine;
    oct_sin_cos(luaL_checknumber(L, 1), &sine, &cosine);
    lua_pushnumber(L, sine / cosine);
    return 1;
}

// The angle of (x, y), from -pi to pi.
static double angle_of(double y, double x)
{
    if (isinf(x) || isinf(y)) {
        y = isinf(y) ? copysign(1.0, y) : copysign(0.0, y);
        x = isinf(x) ? copysign(1.0, x) : 0.0;
    }
    const oct_point axis = {1.0, 0.0, 0.0}, to = {x, fabs(y), 0.0};
    const bool is_behind = y == 0.0 && (x < 0.0 || (x == 0.0 && signbit(x)));
    const double angle = is_behind ? 0x1.921fb54442d18p+1 : oct_angle_between(axis, to);
    return copysign(angle, y);
}

static int math_atan(lua_State *L)
{
    const double y = luaL_checknumber(L, 1), x = luaL_optnumber(L, 2, 1.0);
    lua_pushnumber(L, isnan(x) || isnan(y) ? x + y : angle_of(y, x));
    return 1;
}

static int math_asin(lua_State *L)
{
    const double x = luaL_checknumber(L, 1);
    lua_pushnumber(L, fabs(x) <= 1.0 ? angle_of(x, sqrt((1.0 - x) * (1.0 + x))) : (double)NAN);
    return 1;
}

static int math_acos(lua_State *L)
{
    const double x = luaL_checknumber(L, 1);
    lua_pushnumber(L, fabs(x) <= 1.0 ? angle_of(sqrt((1.0 - x) * (1.0 + x)), x) : (double)NAN);
    return 1;
}

// ---- powers ----

// e^x = 2^n e^r, with |r| at most half of ln 2, where Taylor's series ends soon.
static double exponential(double x)
{
    if (!(x < EXP_MAX && x > EXP_MIN)) {
        return isnan(x) ? x : x > 0.0 ? HUGE_VAL : 0.0;
    }
    const double n = floor(x / (ln2_high + ln2_low) + 0.5);
    const double r = (x - n * ln2_high) - n * ln2_low;
    double sum = 1.0;
    for (int i = 16; i > 0; i--) {
        sum = 1.0 + r * sum / i;
    }
    return ldexp(sum, (int)n);
}

// x = 2^n m, with m around 1; ln m = 2 (s + s^3/3 + s^5/5 + ...) for s = (m - 1) / (m + 1).
static double logarithm(double x)
{
    int n;
    if (!(x > 0.0) || isinf(x)) {
        return x < 0.0 ? (double)NAN : x > 0.0 || isnan(x) ? x : -HUGE_VAL;
    }
    double m = frexp(x, &n);
    if (m < sqrt_half) {
        m *= 2.0;
        n--;
    }
    const double s = (m - 1.0) / (m + 1.0), z = s * s;
    double sum = 0.0;
    for (int i = 25; i > 0; i -= 2) {
        sum = sum * z + 1.0 / i;
    }
    return n * ln2_high + (2.0 * s * sum + n * ln2_low);
}

static int math_exp(lua_State *L)
{
    lua_pushnumber(L, exponential(luaL_checknumber(L, 1)));
    return 1;
}

static int math_log(lua_State *L)
{
    const double x = logarithm(luaL_checknumber(L, 1));
    lua_pushnumber(L, lua_isnoneornil(L, 2) ? x : x / logarithm(luaL_checknumber(L, 2)));
    return 1;
}

// By squares. Whole numbers stay whole, and wrap around as they do when multiplied.
static int math_power(lua_State *L)
{
    const lua_Integer n = luaL_checkinteger(L, 2);
    if (lua_isinteger(L, 1) && n >= 0) {
        lua_Unsigned x = (lua_Unsigned)lua_tointeger(L, 1), power = 1;
        for (lua_Unsigned rest = (lua_Unsigned)n; rest > 0; rest >>= 1, x *= x) {
            power *= rest & 1 ? x : 1;
        }
        lua_pushinteger(L, (lua_Integer)power);
        return 1;
    }
    double x = luaL_checknumber(L, 1), power = 1.0;
    for (lua_Unsigned rest = n < 0 ? 0 - (lua_Unsigned)n : (lua_Unsigned)n; rest > 0; rest >>= 1) {
        power *= rest & 1 ? x : 1.0;
        x *= x;
    }
    lua_pushnumber(L, n < 0 ? 1.0 / power : power);
    return 1;
}

// Numbers are drawn from the seed of the test: the function that sets it is ours.
void oct_patch_math(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"sin", math_sin},
        {"cos", math_cos},
        {"tan", math_tan},
        {"atan", math_atan},
        {"asin", math_asin},
        {"acos", math_acos},
        {"exp", math_exp},
        {"log", math_log},
        {"power", math_power},
        {"randomseed", NULL},
        // Old functions, which some builds of Lua still have.
        {"cosh", NULL},
        {"sinh", NULL},
        {"tanh", NULL},
        {"pow", NULL},
        {"frexp", NULL},
        {"ldexp", NULL},
        {"log10", NULL},
        {NULL, NULL},
    };
    lua_getglobal(L, LUA_MATHLIBNAME);
    lua_getfield(L, -1, "randomseed");
    lua_pushvalue(L, -1);
    oct_host_of(L)->randomseed = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushinteger(L, 1);
    lua_call(L, 1, 0);
    oct_set_functions(L, functions);
    lua_pop(L, 1);
}
