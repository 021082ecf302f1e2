// SPDX-License-Identifier: MIT
// A map as chunks of 64 x 64 x 64 parts. Near ones are drawn cell by cell; farther ones coarser, as
// many as a frame has time for: the largest error on the screen is refined first.
import {
    BufferAttribute, BufferGeometry, Color, Frustum, GLSL3, Group, Matrix4, Mesh, Box3, ShaderMaterial,
    Vector3, Vector4,
} from 'three';
import type { Binary, Link } from './link';
import type { Stage } from './stage';

export interface Look {
    shown: ('hidden' | 'faded' | 'shown')[]; // unknown, open, blocked
    by: string;
    frontier: boolean;
    from?: number[]; // of by: reach
}

const CHUNK = 64;
const ERROR_PIXELS = 1.5; // what a part may measure before it is divided
const IN_FLIGHT = 6;
const QUADS_KEPT = 4; // budgets of quads that are kept though they are not drawn

const vertexShader = `
in vec4 part;
uniform vec3 palette[32];
out vec3 colour;
out vec3 place;
const float shades[6] = float[6](0.72, 0.80, 0.66, 0.88, 0.60, 1.0);
void main() {
    int info = int(part.w);
    colour = palette[info >> 3] * shades[info & 7];
    vec4 at = modelMatrix * vec4(part.xyz, 1.0);
    place = at.xyz;
    gl_Position = projectionMatrix * viewMatrix * at;
}`;

const fragmentShader = `
in vec3 colour;
in vec3 place;
uniform vec4 clip;
uniform float alpha;
out vec4 pixel;
void main() {
    #ifdef CLIPPED
    if (dot(clip.xyz, place) > clip.w) discard;
    #endif
    pixel = vec4(colour, alpha);
}`;

interface Node {
    lod: number;
    at: Vector3; // the smallest cell
    state: 'new' | 'asked' | 'ready';
    meshes: Mesh[];
    quads: number;
    drawn: boolean;
    used: number;
    children?: Node[];
    box: Box3;
}

// One index for all chunks: the corners of quads are written in order.
const indices = new Map<number, BufferAttribute>();
function indexFor(quads: number): BufferAttribute {
    let room = 64;
    while (room < quads) {
        room *= 2;
    }
    let index = indices.get(room);
    if (!index) {
        const all = new Uint32Array(room * 6);
        for (let i = 0; i < room; i++) {
            all.set([4 * i, 4 * i + 1, 4 * i + 2, 4 * i, 4 * i + 2, 4 * i + 3], 6 * i);
        }
        index = new BufferAttribute(all, 1);
        indices.set(room, index);
    }
    return index;
}

// Corners of quads of 8 bytes: see view_quad in src/view/mesh.h.
function corners(quads: Uint8Array, first: number, count: number): Uint8Array {
    const out = new Uint8Array(count * 16);
    let o = 0;
    for (let i = first * 8, end = i + count * 8; i < end; i += 8) {
        const w = quads[i + 3]!, h = quads[i + 4]!, face = quads[i + 5]!;
        const info = face | (quads[i + 6]! << 3);
        const axis = face >> 1, outward = face & 1;
        const at = [quads[i]!, quads[i + 1]!, quads[i + 2]!];
        at[axis]! += outward;
        const u = axis === 0 ? 1 : 0, v = axis === 2 ? 1 : 2;
        const forward = (outward ^ (axis === 1 ? 1 : 0)) !== 0;
        for (let k = 0; k < 4; k++) {
            const corner = forward ? k : (4 - k) & 3;
            const right = corner === 1 || corner === 2 ? w : 0, away = corner >= 2 ? h : 0;
            out[o] = at[0]!;
            out[o + 1] = at[1]!;
            out[o + 2] = at[2]!;
            out[o + u]! += right;
            out[o + v]! += away;
            out[o + 3] = info;
            o += 4;
        }
    }
    return out;
}

export class Chunks {
    readonly group = new Group();
    budget: number;
    drawnQuads = 0;
    coarse = 0; // chunks that stand in for finer ones
    asked = 0;
    firstPicture = 0; // ms since the page was opened
    private readonly solid: ShaderMaterial;
    private readonly faded: ShaderMaterial;
    private root!: Node;
    private old: Node[] = [];
    private look: Look = { shown: ['hidden', 'hidden', 'shown'], by: 'label', frontier: false };
    private generation = 0;
    private clock = 0;
    private kept = 0;
    private all = new Set<Node>();
    private isStale = true;

    constructor(
        private readonly link: Link,
        private readonly stage: Stage,
        private readonly item: number,
        private readonly min: number[],
        private readonly max: number[],
    ) {
        this.budget = stage.isSlow ? 120000 : 1500000;
        const make = (alpha: number): ShaderMaterial =>
            new ShaderMaterial({
                glslVersion: GLSL3, vertexShader, fragmentShader,
                uniforms: {
                    palette: { value: Array.from({ length: 32 }, () => new Color()) },
                    clip: { value: new Vector4() },
                    alpha: { value: alpha },
                },
                transparent: alpha < 1,
                depthWrite: alpha === 1,
            });
        this.solid = make(1);
        this.faded = make(0.18);
        this.stage.onMoved.push(() => this.moved());
        this.stage.onFrame.push((s) => this.update(s));
    }

    setPalette(palette: Color[]): void {
        // The shader writes what the screen shows.
        const shown = palette.map((c) => c.clone().convertLinearToSRGB());
        for (const material of [this.solid, this.faded]) {
            material.uniforms['palette']!.value = shown;
        }
        this.stage.draw();
    }

    // What is beyond the plane is not drawn; null = everything is.
    setClip(plane: Vector4 | null): void {
        for (const material of [this.solid, this.faded]) {
            const on = plane !== null;
            if (on !== 'CLIPPED' in material.defines) {
                material.defines = on ? { CLIPPED: 1 } : {};
                material.needsUpdate = true;
            }
            if (plane) {
                material.uniforms['clip']!.value.copy(plane);
            }
        }
        this.stage.draw();
    }

    // The old picture stays until the new one has begun.
    setLook(look: Look): void {
        this.look = look;
        this.generation++;
        if (this.root) {
            this.old.push(...this.all);
        }
        this.all = new Set();
        this.kept = 0;
        let lod = 0;
        const span = Math.max(...this.max.map((m, i) => m - this.min[i]!), 1);
        while (CHUNK << lod < span) {
            lod++;
        }
        this.root = this.make(lod, new Vector3().fromArray(this.min));
        this.asked = 0;
        this.ask(this.root);
    }

    private make(lod: number, at: Vector3): Node {
        const from = at.clone().sub(new Vector3().fromArray(this.min));
        const box = new Box3(from, from.clone().addScalar(CHUNK << lod));
        box.max.min(new Vector3().fromArray(this.max).sub(new Vector3().fromArray(this.min)));
        const node: Node = { lod, at, state: 'new', meshes: [], quads: 0, drawn: false, used: 0, box };
        this.all.add(node);
        return node;
    }

    private childrenOf(node: Node): Node[] {
        if (!node.children) {
            node.children = [];
            const half = CHUNK << (node.lod - 1);
            for (let i = 0; i < 8; i++) {
                const at = node.at.clone().add(new Vector3(i & 1, (i >> 1) & 1, i >> 2).multiplyScalar(half));
                if (at.toArray().every((c, k) => c < this.max[k]!)) {
                    node.children.push(this.make(node.lod - 1, at));
                }
            }
        }
        return node.children;
    }

    private ask(node: Node): void {
        const generation = this.generation;
        node.state = 'asked';
        this.asked++;
        const question = { item: this.item, at: node.at.toArray(), lod: node.lod, ...this.look };
        this.link.ask<Binary>('chunk', question).then((answer) => {
            if (generation !== this.generation) {
                return;
            }
            this.asked--;
            this.fill(node, answer);
            if (node === this.root) {
                this.old.forEach((n) => this.drop(n));
                this.old = [];
                this.firstPicture ||= performance.now();
            }
            this.moved();
        }, (error: Error) => console.warn(error.message));
    }

    private fill(node: Node, answer: Binary): void {
        const parts: [number, number, ShaderMaterial][] = [
            [0, answer.first, this.solid], [answer.first, answer.second, this.faded]];
        for (const [first, count, material] of parts) {
            if (count === 0) {
                continue;
            }
            const geometry = new BufferGeometry();
            geometry.setAttribute('part', new BufferAttribute(corners(answer.bytes, first, count), 4));
            geometry.setIndex(indexFor(count));
            geometry.setDrawRange(0, count * 6);
            const mesh = new Mesh(geometry, material);
            mesh.frustumCulled = false;
            mesh.matrixAutoUpdate = false;
            mesh.matrix.makeTranslation(node.box.min).scale(new Vector3().setScalar(1 << node.lod));
            mesh.visible = false;
            mesh.renderOrder = material === this.faded ? 1 : 0;
            node.meshes.push(mesh);
            this.group.add(mesh);
            mesh.updateMatrixWorld(true);
        }
        node.quads = answer.first + answer.second;
        node.state = 'ready';
        this.kept += node.quads;
    }

    private drop(node: Node): void {
        for (const mesh of node.meshes) {
            this.group.remove(mesh);
            mesh.geometry.setIndex(null); // shared
            mesh.geometry.dispose();
        }
        if (this.all.has(node)) {
            this.kept -= node.quads;
        }
        node.meshes = [];
        node.quads = 0;
        node.state = 'new';
    }

    private moved(): void {
        this.isStale = true;
        this.stage.draw();
    }

    // How many pixels a part of it measures.
    private error(node: Node, camera: Vector3, scale: number): number {
        const distance = node.box.distanceToPoint(camera);
        return ((1 << node.lod) * scale) / Math.max(distance, 0.5);
    }

    private adapt(seconds: number): void {
        // Frames that follow each other tell what one costs.
        if (seconds > 0.085) {
            this.budget = Math.max(this.budget * 0.9, 20000);
        } else if (seconds < 0.04 && this.drawnQuads > 0.7 * this.budget) {
            this.budget = Math.min(this.budget * 1.04, 4000000);
        }
    }

    // Chooses what is drawn. True while the camera moves on.
    private update(seconds: number): boolean {
        if (seconds < 0.25) {
            this.adapt(seconds);
        }
        if (!this.isStale || !this.root || this.root.state !== 'ready') {
            return false;
        }
        this.isStale = false;
        this.clock++;
        const camera = this.group.worldToLocal(this.stage.camera.position.clone());
        const height = this.stage.renderer.domElement.height;
        const scale = height / (2 * Math.tan((this.stage.camera.fov * Math.PI) / 360));
        this.stage.camera.updateMatrixWorld();
        const seen = new Frustum().setFromProjectionMatrix(
            new Matrix4().multiplyMatrices(this.stage.camera.projectionMatrix, this.stage.camera.matrixWorldInverse));
        this.choose(camera, scale, seen);
        this.forget();
        return false;
    }

    private choose(camera: Vector3, scale: number, seen: Frustum): void {
        const open: { node: Node; error: number }[] = [{ node: this.root, error: Infinity }];
        const wanted: Node[] = [];
        const drawn: Node[] = [];
        let quads = this.root.quads;
        this.coarse = 0;
        while (open.length > 0) {
            let best = 0;
            for (let i = 1; i < open.length; i++) {
                best = open[i]!.error > open[best]!.error ? i : best;
            }
            const { node, error } = open[best]!;
            open[best] = open[open.length - 1]!;
            open.pop();
            node.used = this.clock;
            if (node.lod === 0 || node.quads === 0 || error < ERROR_PIXELS) {
                drawn.push(node);
                continue;
            }
            const children = this.childrenOf(node);
            const missing = children.filter((c) => c.state !== 'ready');
            const more = children.reduce((sum, c) => sum + c.quads, 0) - node.quads;
            children.forEach((c) => (c.used = this.clock));
            if (missing.length > 0 || quads + more > this.budget) {
                drawn.push(node);
                this.coarse++;
                if (missing.length > 0 && quads < this.budget) {
                    wanted.push(...missing.filter((c) => c.state === 'new'));
                }
                continue;
            }
            quads += more;
            for (const child of children) {
                if (seen.intersectsBox(this.inWorld(child.box))) {
                    open.push({ node: child, error: this.error(child, camera, scale) });
                } else {
                    quads -= child.quads;
                }
            }
        }
        this.show(drawn);
        wanted.slice(0, Math.max(0, IN_FLIGHT - this.asked)).forEach((n) => this.ask(n));
    }

    private inWorld(box: Box3): Box3 {
        return box.clone().applyMatrix4(this.group.matrixWorld);
    }

    private shown: Node[] = [];
    private show(drawn: Node[]): void {
        for (const node of this.shown) {
            node.meshes.forEach((m) => (m.visible = false));
        }
        this.drawnQuads = 0;
        for (const node of drawn) {
            node.meshes.forEach((m) => (m.visible = true));
            this.drawnQuads += node.quads;
        }
        this.shown = drawn;
    }

    // What was not used for longest goes, where there is too much.
    private forget(): void {
        if (this.kept < QUADS_KEPT * Math.max(this.budget, 200000)) {
            return;
        }
        const unused = [...this.all].filter((n) => n.state === 'ready' && n.used < this.clock && n !== this.root);
        unused.sort((a, b) => a.used - b.used);
        for (const node of unused.slice(0, Math.ceil(unused.length / 2))) {
            this.drop(node);
        }
    }
}
