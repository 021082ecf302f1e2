// SPDX-License-Identifier: MIT
// Boxes in one mesh, without the faces that two of them share.
import {
    BufferAttribute, BufferGeometry, Color, EdgesGeometry, LineBasicMaterial, LineSegments, BoxGeometry, Mesh,
    MeshLambertMaterial, Vector3,
} from 'three';

export interface Box {
    from: Vector3;
    to: Vector3;
    colour: Color;
}

const FACES = [0, 1, 2, 3, 4, 5];

export class Boxes {
    readonly mesh = new Mesh(new BufferGeometry(), new MeshLambertMaterial({ vertexColors: true }));
    faces = 0;

    constructor(alpha = 1) {
        this.mesh.material.transparent = alpha < 1;
        this.mesh.material.opacity = alpha;
        this.mesh.material.depthWrite = alpha === 1;
        this.mesh.frustumCulled = false;
    }

    set(boxes: Box[]): void {
        const twice = shared(boxes);
        const places = new Float32Array(boxes.length * 72), normals = new Int8Array(boxes.length * 72);
        const colours = new Float32Array(boxes.length * 72);
        const index = new Uint32Array(boxes.length * 36);
        let faces = 0;
        for (const box of boxes) {
            const low = box.from.toArray(), high = box.to.toArray();
            for (const face of FACES) {
                if (twice.has(keyOf(low, high, face))) {
                    continue;
                }
                putFace(low, high, face, faces, places, normals);
                for (let k = 0; k < 4; k++) {
                    box.colour.toArray(colours, (faces * 4 + k) * 3);
                }
                index.set([0, 1, 2, 0, 2, 3].map((i) => faces * 4 + i), faces * 6);
                faces++;
            }
        }
        this.mesh.geometry.dispose();
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(places.subarray(0, faces * 12), 3));
        geometry.setAttribute('normal', new BufferAttribute(normals.subarray(0, faces * 12), 3));
        geometry.setAttribute('color', new BufferAttribute(colours.subarray(0, faces * 12), 3));
        geometry.setIndex(new BufferAttribute(index.subarray(0, faces * 6), 1));
        this.mesh.geometry = geometry;
        this.faces = faces;
    }
}

// The same for the face of a box and the opposite one of the box that touches it.
function keyOf(low: number[], high: number[], face: number): string {
    const axis = face >> 1, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const at = face & 1 ? high[axis]! : low[axis]!;
    return [axis, at, low[u]!, high[u]!, low[v]!, high[v]!].map((n) => n.toFixed(3)).join();
}

function shared(boxes: Box[]): Set<string> {
    const once = new Set<string>(), twice = new Set<string>();
    for (const box of boxes) {
        const low = box.from.toArray(), high = box.to.toArray();
        for (const face of FACES) {
            const key = keyOf(low, high, face);
            (once.has(key) ? twice : once).add(key);
        }
    }
    return twice;
}

function putFace(
    low: number[], high: number[], face: number, at: number, places: Float32Array, normals: Int8Array,
): void {
    const axis = face >> 1, outward = face & 1, u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (let k = 0; k < 4; k++) {
        const corner = outward ? k : (4 - k) & 3, o = (at * 4 + k) * 3;
        places[o + axis] = outward ? high[axis]! : low[axis]!;
        places[o + u] = corner === 1 || corner === 2 ? high[u]! : low[u]!;
        places[o + v] = corner >= 2 ? high[v]! : low[v]!;
        normals[o + axis] = outward ? 1 : -1;
    }
}

export function wireframe(from: Vector3, to: Vector3, colour: string): LineSegments {
    const size = to.clone().sub(from);
    const edges = new EdgesGeometry(new BoxGeometry(size.x, size.y, size.z));
    edges.translate((from.x + to.x) / 2, (from.y + to.y) / 2, (from.z + to.z) / 2);
    return new LineSegments(edges, new LineBasicMaterial({ color: colour }));
}
