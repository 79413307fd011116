#pragma once

#include "core/rect.h"
#include "timeline/draw_list.h"

// Areas that layers colour, in canvas pixels. Pure; any thread.
namespace framewright {

double determinant(const Affine& m);
inline constexpr double kMinArea = 1e-6;  // square pixels; maps below it have no inverse
bool overlaps(const Rect& a, const Rect& b);
bool contains(const Rect& outer, const Rect& inner);
// How far apart two maps move (x, y).
double distanceBetween(const Affine& a, const Affine& b, double x, double y);

// The area that a layer may colour.
Rect areaOf(const Layer& layer);
// Where the members of a group may be that are visible in `area`. `box`: of the group.
Rect casterArea(const LayerEffects& effects, const Affine& box, const Rect& area);

}  // namespace framewright
