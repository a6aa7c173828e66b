/// <reference types="astro/client" />
/// <reference types="@astrojs/starlight" />
