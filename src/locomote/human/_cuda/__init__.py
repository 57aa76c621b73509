"""People on a GPU: `kernels`, compiled by `compiling`, loaded by `loading`, launched by `device` over a `layout`."""
