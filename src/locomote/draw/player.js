// Plays motions in a canvas: bodies skinned on the processor, a floor with a grid, feet that are green when they stand.
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("motion").textContent);
  const decode = (text, type) => {
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return new type(bytes.buffer);
  };
  const rest = decode(data.vertices, Float32Array), faces = decode(data.triangles, Uint32Array);
  const joints = decode(data.joints, Uint16Array), weights = decode(data.weights, Uint8Array);
  const paint = decode(data.paint, Uint8Array), feet = decode(data.feet, Int16Array);
  const places = decode(data.positions, Int16Array), turns = decode(data.rotations, Int16Array);
  const planted = decode(data.planted, Uint8Array), low = data.low, span = data.span;
  const J = data.joint_count, F = data.frames, V = rest.length / 3, L = data.legs;

  const canvas = document.getElementById("view"), bar = document.getElementById("bar");
  const button = document.getElementById("play"), clock = document.getElementById("clock");
  const gl = canvas.getContext("webgl", { antialias: true });
  if (!gl) { clock.textContent = "this browser has no WebGL"; return; }
  const wide = gl.getExtension("OES_element_index_uint");

  const program = (vertex, fragment) => {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text); gl.compileShader(shader); gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    return made;
  };
  const lit = program(
    "attribute vec3 at, normal, colour; uniform mat4 view; varying vec3 n, c; varying float d;" +
    "void main() { gl_Position = view * vec4(at, 1.0); n = normal; c = colour; d = gl_Position.w; }",
    "precision mediump float; varying vec3 n, c; varying float d; uniform float flat_; uniform float reach;" +
    "void main() { float l = mix(0.52 + 0.48 * max(0.0, dot(normalize(n), normalize(vec3(0.4, 0.9, 0.5)))), 1.0, flat_);" +
    "gl_FragColor = vec4(mix(c * l, vec3(1.0), clamp(d / reach - 0.6, 0.0, 1.0)), 1.0); }");
  const slots = ["at", "normal", "colour"].map((name) => gl.getAttribLocation(lit, name));
  const buffers = () => slots.map(() => gl.createBuffer());
  const body = buffers(), floor = buffers(), shade = buffers(), index = gl.createBuffer();
  const fill = (buffer, array) => { gl.bindBuffer(gl.ARRAY_BUFFER, buffer); gl.bufferData(gl.ARRAY_BUFFER, array, gl.DYNAMIC_DRAW); };
  const use = (set) => set.forEach((buffer, i) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer); gl.enableVertexAttribArray(slots[i]); gl.vertexAttribPointer(slots[i], 3, gl.FLOAT, false, 0, 0);
  });
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, index);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, wide ? faces : new Uint16Array(faces), gl.STATIC_DRAW);

  const size = data.size, cell = data.cell, at = new Float32Array(3 * V), normals = new Float32Array(3 * V), colours = new Float32Array(3 * V);
  const dark = new Float32Array(3 * V).fill(0.82), up = new Float32Array(3 * V);
  for (let v = 0; v < V; v++) up[3 * v + 1] = 1;
  const lines = [], count = 40, end = count * cell, thin = 0.006 * size;
  for (let k = -count; k <= count; k++) {
    const a = k * cell - thin, b = k * cell + thin;
    lines.push(a, 0, -end, b, 0, -end, b, 0, end, a, 0, -end, b, 0, end, a, 0, end);
    lines.push(-end, 0, a, -end, 0, b, end, 0, b, -end, 0, a, end, 0, b, end, 0, a);
  }
  fill(floor[1], new Float32Array(lines.length).map((_, i) => (i % 3 === 1 ? 1 : 0)));
  fill(floor[2], new Float32Array(lines.length).fill(0.8));

  const matrices = new Float32Array(12 * J);
  const pose = (frame) => {
    for (let j = 0; j < J; j++) {
      const p = 3 * (frame * J + j), q = 4 * (frame * J + j), m = 12 * j;
      const w = turns[q] / 32767, x = turns[q + 1] / 32767, y = turns[q + 2] / 32767, z = turns[q + 3] / 32767;
      matrices[m] = 1 - 2 * (y * y + z * z); matrices[m + 1] = 2 * (x * y - w * z); matrices[m + 2] = 2 * (x * z + w * y);
      matrices[m + 4] = 2 * (x * y + w * z); matrices[m + 5] = 1 - 2 * (x * x + z * z); matrices[m + 6] = 2 * (y * z - w * x);
      matrices[m + 8] = 2 * (x * z - w * y); matrices[m + 9] = 2 * (y * z + w * x); matrices[m + 10] = 1 - 2 * (x * x + y * y);
      for (let i = 0; i < 3; i++) matrices[m + 4 * i + 3] = low[i] + span[i] * (places[p + i] + 32767) / 65534;
    }
    normals.fill(0);
    for (let v = 0; v < V; v++) {
      const x = rest[3 * v], y = rest[3 * v + 1], z = rest[3 * v + 2];
      let a = 0, b = 0, c = 0;
      for (let k = 0; k < 4; k++) {
        const share = weights[4 * v + k] / 255;
        if (share === 0) continue;
        const m = 12 * joints[4 * v + k];
        a += share * (matrices[m] * x + matrices[m + 1] * y + matrices[m + 2] * z + matrices[m + 3]);
        b += share * (matrices[m + 4] * x + matrices[m + 5] * y + matrices[m + 6] * z + matrices[m + 7]);
        c += share * (matrices[m + 8] * x + matrices[m + 9] * y + matrices[m + 10] * z + matrices[m + 11]);
      }
      at[3 * v] = a; at[3 * v + 1] = b; at[3 * v + 2] = c;
      const stands = feet[v] >= 0 && planted[frame * L + feet[v]];
      for (let i = 0; i < 3; i++) colours[3 * v + i] = (stands ? data.green[i] : paint[3 * v + i]) / 255;
    }
    for (let t = 0; t < faces.length; t += 3) {
      const i = 3 * faces[t], j = 3 * faces[t + 1], k = 3 * faces[t + 2];
      const ux = at[j] - at[i], uy = at[j + 1] - at[i + 1], uz = at[j + 2] - at[i + 2];
      const vx = at[k] - at[i], vy = at[k + 1] - at[i + 1], vz = at[k + 2] - at[i + 2];
      const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
      for (const o of [i, j, k]) { normals[o] += nx; normals[o + 1] += ny; normals[o + 2] += nz; }
    }
  };

  const eye = { yaw: data.yaw, pitch: 0.22, far: 2.0 * size };
  const view = (target, aspect) => {
    const cy = Math.cos(eye.yaw), sy = Math.sin(eye.yaw), cp = Math.cos(eye.pitch), sp = Math.sin(eye.pitch);
    const back = [sy * cp, sp, cy * cp], right = [cy, 0, -sy], above = [-sy * sp, cp, -cy * sp];
    const from = target.map((t, i) => t + eye.far * back[i]), f = 2.2, near = 0.01 * eye.far, far = 100 * eye.far;
    const row = (r) => [...r, -(r[0] * from[0] + r[1] * from[1] + r[2] * from[2])];
    const x = row(right), y = row(above), z = row(back), a = (far + near) / (near - far), b = (2 * far * near) / (near - far);
    const out = new Float32Array(16);
    for (let c = 0; c < 4; c++) {
      out[4 * c] = (f / aspect) * x[c]; out[4 * c + 1] = f * y[c]; out[4 * c + 2] = a * z[c] + (c === 3 ? b : 0); out[4 * c + 3] = -z[c];
    }
    return out;
  };

  let frame = 0, playing = true, last = 0;
  const draw = () => {
    const ratio = window.devicePixelRatio || 1, width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    const now = Math.floor(frame) % F;
    pose(now);
    const m = 12 * data.root, target = [matrices[m + 3], data.aim, matrices[m + 11]];
    gl.viewport(0, 0, width, height); gl.clearColor(1, 1, 1, 1); gl.enable(gl.DEPTH_TEST); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(lit);
    gl.uniformMatrix4fv(gl.getUniformLocation(lit, "view"), false, view(target, width / height));
    gl.uniform1f(gl.getUniformLocation(lit, "reach"), 4 * eye.far);
    const dx = Math.round(target[0] / cell) * cell, dz = Math.round(target[2] / cell) * cell;
    fill(floor[0], new Float32Array(lines.map((value, i) => value + (i % 3 === 0 ? dx : i % 3 === 2 ? dz : data.ground))));
    gl.uniform1f(gl.getUniformLocation(lit, "flat_"), 1);
    use(floor); gl.drawArrays(gl.TRIANGLES, 0, lines.length / 3);
    const cast = new Float32Array(3 * V);
    for (let v = 0; v < V; v++) {
      const h = at[3 * v + 1] - data.ground;
      cast[3 * v] = at[3 * v] - 0.25 * h; cast[3 * v + 1] = data.ground + 0.001 * size; cast[3 * v + 2] = at[3 * v + 2] - 0.3 * h;
    }
    const type = wide ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT;
    fill(shade[0], cast); fill(shade[1], up); fill(shade[2], dark);
    use(shade); gl.drawElements(gl.TRIANGLES, faces.length, type, 0);
    gl.uniform1f(gl.getUniformLocation(lit, "flat_"), 0);
    fill(body[0], at); fill(body[1], normals); fill(body[2], colours);
    use(body); gl.drawElements(gl.TRIANGLES, faces.length, type, 0);
    bar.value = now;
    clock.textContent = (now / data.fps).toFixed(2) + " s, frame " + now;
    canvas.dataset.frame = now;
  };
  const tick = (time) => {
    if (playing) { frame = (frame + Math.min(time - last, 100) * 0.001 * data.fps) % F; draw(); }
    last = time;
    requestAnimationFrame(tick);
  };
  button.onclick = () => { playing = !playing; button.textContent = playing ? "pause" : "play"; };
  bar.max = F - 1;
  bar.oninput = () => { frame = Number(bar.value); playing = false; button.textContent = "play"; draw(); };
  let held = null;
  canvas.onpointerdown = (event) => { held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); };
  canvas.onpointerup = () => { held = null; };
  canvas.onpointermove = (event) => {
    if (!held) return;
    eye.yaw -= 0.008 * (event.clientX - held[0]);
    eye.pitch = Math.max(-0.1, Math.min(1.5, eye.pitch + 0.008 * (event.clientY - held[1])));
    held = [event.clientX, event.clientY];
    draw();
  };
  canvas.onwheel = (event) => { event.preventDefault(); eye.far *= Math.exp(0.001 * event.deltaY); draw(); };
  requestAnimationFrame(tick);
})();
