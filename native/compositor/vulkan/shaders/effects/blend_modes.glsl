// Port of kernels/blend/blend_modes.cc with the same order of operations.

const int kMultiply = 1, kScreen = 2, kOverlay = 3, kDarken = 4, kLighten = 5, kColorDodge = 6, kColorBurn = 7,
          kHardLight = 8, kSoftLight = 9, kDifference = 10, kExclusion = 11, kAdd = 12;
layout(constant_id = 0) const int kMode = 1;

// Constants of kernels/blend/blend_matrix.h, as literals for identical floats.
const float kUnitLuma = 0.004566209856420755, kRedPerCr = 0.007030357141047716, kBluePerCb = 0.008283928968012333;
const float kGreenPerCr = 0.002089840592816472, kGreenPerCb = 0.0008362690568901598;
const float kCbPerBlue = 120.71566772460938, kCrPerRed = 142.2402801513672, kLumaRange = 219.0;
const float kRedShare = 0.2125999927520752, kGreenShare = 0.7152000069618225, kBlueShare = 0.0722000002861023;
const float kDeltaUnit = 32.0;

vec3 rgbOf(ivec3 yuv) {
  precise const float y = (float(yuv.x) - 16.0) * kUnitLuma;
  const float cb = float(yuv.y) - 128.0, cr = float(yuv.z) - 128.0;
  precise const vec3 rgb = vec3(y + cr * kRedPerCr, (y - cb * kGreenPerCb) - cr * kGreenPerCr, y + cb * kBluePerCb);
  return clamp(rgb, 0.0, 1.0);
}

float screened(float b, float s) {
  precise const float mixed = (b + s) - b * s;
  return mixed;
}

float hardLit(float b, float s) {
  precise const float twice = s + s;
  precise const float dark = b * twice;
  return s <= 0.5 ? dark : screened(b, twice - 1.0);
}

float softLit(float b, float s) {
  precise const float twice = s + s;
  precise const float dark = b - (1.0 - twice) * b * (1.0 - b);
  if (s <= 0.5) return dark;
  precise const float low = ((16.0 * b - 12.0) * b + 4.0) * b;
  const float lit = b <= 0.25 ? low : sqrt(b);
  precise const float light = b + (twice - 1.0) * (lit - b);
  return light;
}

float mixed(float b, float s) {
  precise float result = s;
  if (kMode == kMultiply) result = b * s;
  if (kMode == kScreen) result = screened(b, s);
  if (kMode == kOverlay) result = hardLit(s, b);
  if (kMode == kDarken) result = min(b, s);
  if (kMode == kLighten) result = max(b, s);
  if (kMode == kColorDodge) result = b <= 0.0 ? 0.0 : s >= 1.0 ? 1.0 : min(1.0, b / (1.0 - s));
  if (kMode == kColorBurn) result = b >= 1.0 ? 1.0 : s <= 0.0 ? 0.0 : 1.0 - min(1.0, (1.0 - b) / s);
  if (kMode == kHardLight) result = hardLit(b, s);
  if (kMode == kSoftLight) result = softLit(b, s);
  if (kMode == kDifference) result = abs(b - s);
  if (kMode == kExclusion) result = (b + s) - 2.0 * b * s;
  return result;
}

float changeOf(float b, float s, float weight) {
  precise const float added = min(b + s * weight, 1.0) - b;
  precise const float changed = (mixed(b, s) - b) * weight;
  return kMode == kAdd ? added : changed;
}
