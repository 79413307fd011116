#pragma once

#include "timeline/draw_list.h"

// Areas that layers colour, in canvas pixels. Pure; any thread.
namespace framewright {

// The unit square under `m`.
Rect bounds(const Affine& m);
// The map from the unit square onto `rect`.
inline Affine boxOf(const Rect& rect) { return {rect.width, 0, rect.x, 0, rect.height, rect.y}; }
double determinant(const Affine& m);
inline constexpr double kMinArea = 1e-6;  // square pixels; maps below it have no inverse
// `rect` with its sides moved outwards.
Rect expanded(const Rect& rect, double by);
// Intersection; width or height 0 if disjoint.
Rect common(const Rect& a, const Rect& b);
// The smallest rectangle around both.
Rect around(const Rect& a, const Rect& b);
bool overlaps(const Rect& a, const Rect& b);
bool contains(const Rect& outer, const Rect& inner);
// How far apart two maps move (x, y).
double distanceBetween(const Affine& a, const Affine& b, double x, double y);

// The area that a layer may colour.
Rect areaOf(const Layer& layer);
// Where the members of a group may be that are visible in `area`. `box`: of the group.
Rect casterArea(const LayerEffects& effects, const Affine& box, const Rect& area);

}  // namespace framewright
