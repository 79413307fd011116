#pragma once

#include <cstdint>
#include <vector>

#include "kernels/color_lut.h"
#include "kernels/ycbcr/primaries_rows.h"
#include "libav/decode/color/mapped_conversion.h"

namespace framewright {

// Pairs of rows of planar YCbCr, also as R'G'B' signals: both luma rows with interpolated chroma, and the row
// of 4:2:0 chroma samples between them. Used by one thread.
class PlanarRows {
 public:
  // 4:2:0, 4:2:2 and 4:4:4 with 8 to 12 bits.
  static bool supports(AVPixelFormat format);

  explicit PlanarRows(const MappedConversion::Request& request);

  // Loads the samples of rows y (even) and y + 1, of each frame from the first pair on; the last row is
  // repeated below the frame.
  void loadSamples(const AVFrame& frame, int y);
  // With four bits more in Cb and Cr.
  kernels::SampleRow lumaSamples(int row);
  bool hasChromaSamples() const { return shiftX_ == 1; }
  kernels::SampleRow chromaSamples();
  const kernels::SignalMatrix& matrix() const { return matrix_; }

  // The same as signals.
  void load(const AVFrame& frame, int y);
  kernels::SignalRow luma(int row) { return signals_[static_cast<size_t>(row)].row(); }
  kernels::SignalRow chroma() { return signals_[2].row(); }

 private:
  // Samples with their edges repeated on both sides, for filters that reach beyond them.
  class Row {
   public:
    static constexpr int kMargin = 8;

    explicit Row(int width) : samples_(static_cast<size_t>(width + 2 * kMargin)) {}
    uint16_t* data() { return samples_.data() + kMargin; }
    void repeatEdges(int width);

   private:
    std::vector<uint16_t> samples_;
  };
  struct Signals {
    Row r, g, b;

    kernels::SignalRow row() { return {r.data(), g.data(), b.data()}; }
  };

  void loadRow(Row& to, const AVFrame& frame, int plane, int y) const;
  void loadChroma(const AVFrame& frame, int y);
  void siteChroma();
  void mixRows(Row& to, Row& near, Row& far, int nearWeight) const;
  void widen(Row& to, Row& from) const;
  void siteLuma();

  const int width_, height_, chromaWidth_, chromaHeight_;
  const int bytes_, shiftX_, shiftY_;
  const bool isCentred_, isTopSited_;
  const kernels::SignalMatrix matrix_;
  Row luma_[2], sitedLuma_;
  Row chroma_[2][3];        // Cb and Cr: the rows above, at and below this pair
  Row mixed_, wide_[2][2];  // Cb and Cr of both luma rows
  Row sited_[2];            // Cb and Cr of the row between both
  Signals signals_[3];
};

}  // namespace framewright
