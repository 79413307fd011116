#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "record_fields.h"
#include "weights.glsl"

// Weights outside a box with rounded corners, possibly rotated, as cpu/effects/box_shape.cc.
layout(push_constant) uniform Push {
  uint weightStride;
  int width, height;  // of the surface
  uint rows;          // table of kQuadRowWords per row
  int firstRow, endRow;
  float box[6];  // surface pixels to box pixels: xx, xy, dx, yx, yy, dy
  float boxWidth, boxHeight, radius;
} push;

int field(uint record, int index) { return int(tables[record + uint(index)]); }

int quadWeight(uint row, int x) {
  const int first = field(row, kQuadFirst), fullFirst = field(row, kQuadFullFirst), fullEnd = field(row, kQuadFullEnd);
  const uint edges = uint(field(row, kQuadEdges));
  if (x < fullFirst) return int(tables[edges + uint(x - first)]);
  if (x < fullEnd) return field(row, kQuadWeight);
  return int(tables[edges + uint(fullFirst - first + x - fullEnd)]);
}

int outsideCorner(vec2 d) {
  const float away = length(d);
  if (away <= 0.0) return 0;
  // Gradient of the distance per surface pixel; differs from 1 for unevenly scaled boxes.
  const vec2 gradient = vec2(push.box[0] * d.x + push.box[3] * d.y, push.box[1] * d.x + push.box[4] * d.y);
  const float share = 0.5 + (away - push.radius) * away / length(gradient);
  return int(floor(clamp(share, 0.0, 1.0) * float(kFullWeight) + 0.5));
}

int hidden(uint row, int x, int y) {
  int weight = kFullWeight - quadWeight(row, x);
  if (push.radius <= 0.0) return weight;
  const vec2 middle = vec2(x, y) + 0.5;
  const vec2 at = vec2(push.box[0] * middle.x + push.box[1] * middle.y + push.box[2],
                       push.box[3] * middle.x + push.box[4] * middle.y + push.box[5]);
  for (int corner = 0; corner < 4; ++corner) {
    const bool right = (corner & 1) == 1, bottom = (corner & 2) == 2;
    const vec2 d = at - vec2(right ? push.boxWidth - push.radius : push.radius, bottom ? push.boxHeight - push.radius : push.radius);
    if ((right ? d.x >= 0.0 : d.x <= 0.0) && (bottom ? d.y >= 0.0 : d.y <= 0.0)) weight = max(weight, outsideCorner(d));
  }
  return weight;
}

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= push.width || y >= push.height) return;
  ivec4 weights = ivec4(kFullWeight);
  if (y >= push.firstRow && y < push.endRow) {
    const uint row = push.rows + uint((y - push.firstRow) * kQuadRowWords);
    for (int i = 0; i < 4; ++i) {
      if (x + i >= field(row, kQuadFirst) && x + i < field(row, kQuadEnd)) weights[i] = hidden(row, x + i, y);
    }
  }
  writeWeights(push.weightStride, x, y, weights);
}
