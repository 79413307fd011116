#ifndef FRAMEWRIGHT_RECORD_FIELDS_H
#define FRAMEWRIGHT_RECORD_FIELDS_H

// Word offsets of a layer record in the tables, one record per plane group. Shared by C++ and GLSL.

// Layer kinds; a pipeline is specialised for the set of kinds of its layers.
const int kFillKind = 1;
const int kRotatedFillKind = 2;
const int kCopiedKind = 4;    // images with samples that map one to one
const int kFilteredKind = 8;  // images that are scaled, axis-aligned
const int kRotatedKind = 16;  // rotated images
const int kWaveformKind = 32;

const int kRgba = 2;  // 16 bits: premultiplied R, G, B and alpha

const int kKind = 0;
const int kSource = 1;  // descriptor index
const int kHasAlpha = 2;  // 0: opaque, 1: premultiplied planes with alpha, kRgba
const int kColumnFirst = 3;  // covered columns and rows, then Q15 weights of the outermost ones
const int kColumnEnd = 4;
const int kFirstColumnWeight = 5;
const int kLastColumnWeight = 6;
const int kRowFirst = 7;
const int kRowEnd = 8;
const int kFirstRowWeight = 9;  // multiplied by the opacity
const int kLastRowWeight = 10;
const int kRowWeight = 11;  // of the other rows
const int kValues = 12;     // two colour values of fills and waveforms
const int kSampler = 14;    // two samplers: a mip level and the next one
const int kTowardsNext = 46;
const int kQuadRows = 47;  // rotated: table of kQuadRowWords per row
const int kQuadFirstRow = 48;
const int kQuadEndRow = 49;
const int kSecondColumnWeight = 50;  // 16 bits, axis-aligned: of the columns next to the outermost ones
const int kLastButOneColumnWeight = 51;
const int kWaveShape =
    14;  // waveforms, which have no sampler: 0: bars in a row, 1: a line, 2: bars around a circle
const int kBaseline = 15;
const int kBoxWidth = 16;
const int kRadius = 17;      // at which the bars of a circle start
const int kDirections = 18;  // of the bars of a circle, as floats
const int kLineReach = 19;   // segments of a line that may be near a point, to each side
const int kCut = 20;         // distance below the baseline at which the bars of a row end
const int kBars = 50;        // waveforms: half heights, or the points of a line, as floats
const int kBarCount = 51;
const int kBox = 52;  // canvas pixels to box pixels: xx, xy, dx, yx, yy, dy
const int kBoxHeight = 58;
const int kBarPitch = 59;
const int kHalfBar = 60;
const int kBoxOpacity = 61;
const int kBoxColumns = 62;  // axis-aligned boxes, else 0: bar and distance from its middle per column
const int kBoxRows = 63;     // and distance below the baseline per row
const int kRecordWords = 64;

// Word offsets of a sampler.
const int kPlanes = 0;  // offsets of two colours and of alpha; kRgba: of R, G and alpha
const int kStride = 3;
const int kLeft = 4;
const int kTop = 5;
const int kRight = 6;
const int kBottom = 7;
const int kTaps = 8;          // horizontal taps; 0: copied with the offset kStepX, kStepY
const int kRowTaps = 9;       // vertical taps
const int kColumnTable = 10;  // first taps, then Q14 weights in pairs
const int kRowTable = 11;
const int kStepX = 12;  // rotated: 16.16 steps along a row
const int kStepY = 13;
const int kFractionBits = 14;  // 16 bits, opaque: fraction bits of the samples
const int kRowStepX = 14;      // rotated kRgba: 16.16 steps between rows of the canvas's pixels
const int kRowStepY = 15;
const int kSamplerWords = 16;

// Word offsets of a rotated layer's row.
const int kQuadFirst = 0;
const int kQuadEnd = 1;
const int kQuadFullFirst = 2;
const int kQuadFullEnd = 3;
const int kQuadWeight = 4;
const int kQuadEdges = 5;  // weights of the partially covered samples at both ends
const int kQuadWalk = 6;   // 16.16 positions of every kWalkLength-th sample, for both samplers
const int kQuadRowWords = 8;
const int kWalkLength = 128;

#endif
