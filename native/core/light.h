#pragma once

// Curves between signals, which are 0..1, and light.
namespace framewright {

// Light of SDR white on an HDR display (BT.2408), and the peak of the display for which HLG is shown, cd/m².
inline constexpr double kSdrWhiteNits = 203, kHlgPeakNits = 1000;
inline constexpr double kMaxPqNits = 10000;

// PQ of BT.2100; light in cd/m².
double pqSignal(double nits);
double pqNits(double signal);

// HLG of BT.2100: signal to scene light 0..1 and back, without the lift for a display's black.
double hlgScene(double signal);
double hlgSignal(double scene);
inline constexpr double kHlgGamma = 1.2;  // of the OOTF at kHlgPeakNits

// HLG's OOTF as a factor that takes scene light to cd/m² of the display, by the luminance of the scene light;
// and back, by that of the display as a share of kHlgPeakNits.
double hlgDisplayGain(double sceneLuminance);
double hlgSceneGain(double displayShare);

// sRGB; light 0..1.
double srgbLight(double signal);
double srgbSignal(double light);

}  // namespace framewright
