#pragma once

#include "kernels/deep/plane_filters.h"
#include "kernels/page_curl.h"

// Rows of a page of working samples that is rolled off. The results do not depend on the instruction set.
// Pure; any thread.
namespace framewright::kernels {

// kernels::curlRow() for working samples (plane_rows.h). `plane`: that of the page, from sample 0 on;
// `page.plane` is not read.
void curlSamples(int16_t* row, const int16_t* flat, const CodePlane& plane, const CurledPage& page, int x,
                 int y, int32_t position, size_t count);

}  // namespace framewright::kernels
