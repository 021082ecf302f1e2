// SPDX-License-Identifier: MIT
// What an agent came to know for certain: links from buttons to doors with the sightings behind
// them, and the proof that a fail rests on.
import { BufferAttribute, BufferGeometry, Color, Group, LineDashedMaterial, LineSegments, Vector3 } from 'three';
import { Boxes, wireframe } from './boxes';
import type { Stage } from './stage';
import { type Agent, lastAt, type LearnedLink, type Thing, type Trace } from './trace';
import { el, heading } from './ui';

const LINK_COLOUR = '#e69f00';

export class LearnedView {
    drawnLinks = 0;
    drawnBoxes = 0;
    private readonly lines = new LineSegments(new BufferGeometry(),
        new LineDashedMaterial({ color: LINK_COLOUR, dashSize: 0.5, gapSize: 0.3, depthTest: false, transparent: true }));
    private readonly space = new Boxes(0.35);
    private readonly target = new Group();
    private shows = true; // the proof

    constructor(
        private readonly stage: Stage, group: Group, private readonly trace: Trace,
        private readonly local: (at: number[]) => Vector3,
    ) {
        this.lines.renderOrder = 5;
        this.lines.frustumCulled = false;
        group.add(this.lines, this.space.mesh, this.target);
    }

    private linksAt(agent: Agent | undefined, tick: number): LearnedLink[] {
        return agent?.links[lastAt(agent.links, tick)]?.links ?? [];
    }

    draw(agent: Agent | undefined, tick: number, things: Map<string, Thing>): void {
        const places: number[] = [];
        const middle = (thing: Thing): Vector3 =>
            this.local(thing.box.slice(0, 3)).add(this.local(thing.box.slice(3))).multiplyScalar(0.5);
        for (const link of this.linksAt(agent, tick)) {
            const panel = things.get(link.panel), door = things.get(link.door);
            if (panel && door) {
                places.push(...middle(panel).toArray(), ...middle(door).toArray());
            }
        }
        this.drawnLinks = places.length / 6;
        this.lines.geometry.dispose();
        this.lines.geometry = new BufferGeometry();
        this.lines.geometry.setAttribute('position', new BufferAttribute(new Float32Array(places), 3));
        this.lines.computeLineDistances();
        this.drawProof(this.shows && this.trace.end !== null && tick >= this.trace.ticks);
    }

    private drawProof(isShown: boolean): void {
        const proof = isShown ? this.trace.proofs()[0] : undefined;
        const boxes = proof?.reached ?? [];
        if (this.drawnBoxes === boxes.length) {
            return;
        }
        this.drawnBoxes = boxes.length;
        this.space.set(boxes.map((b) => ({
            from: this.local(b.slice(0, 3)), to: this.local(b.slice(0, 3)).addScalar(b[3]!), colour: new Color('#2aa67f') })));
        this.target.clear();
        if (proof?.target) {
            this.target.add(wireframe(this.local(proof.target.slice(0, 3)), this.local(proof.target.slice(3)), '#b0256b'));
        }
        this.stage.draw();
    }

    // ---- the side ----

    list(side: HTMLElement, agent: Agent, tick: number, go: (tick: number) => void): void {
        const links = this.linksAt(agent, tick);
        if (agent.links.length === 0) {
            return;
        }
        heading(side, `Learned links (${links.length})`);
        for (const link of links) {
            const seen = link.seen.map((s) => s.earlier
                ? el('span', { class: 'dim' }, `${s.state} in an earlier life `)
                : el('button', { class: 'mini', title: 'go to that moment', click: () => go(s.tick) },
                    `${(s.tick / this.trace.rate).toFixed(1)} s: ${s.state}`));
            side.append(el('div', { class: 'link' },
                el('i', { class: 'key', style: `background:${LINK_COLOUR}` }),
                `${link.name}:${link.button} ${link.how} ${link.to}`,
                el('div', { class: 'dim' }, seen.length > 0 ? 'follows from ' : 'follows from what its presses did', ...seen)));
        }
    }

    proof(side: HTMLElement): void {
        const kind = this.trace.end?.['proof'], proof = this.trace.proofs()[0];
        if (this.trace.end?.['decides']) {
            side.append(el('div', { class: 'dim' }, `would be decided by: ${String(this.trace.end['decides'])}`));
        }
        if (!kind) {
            return;
        }
        heading(side, 'Proof');
        const words: Record<string, string> = {
            cut: 'the body cannot leave the space drawn in green',
            states: 'in no state of the doors can the body get there',
            witness: 'it happened in this run', time: 'the time was over',
        };
        side.append(el('div', { id: 'proof' }, `${String(kind)}${words[String(kind)] ? `: ${words[String(kind)]}` : ''}`));
        const assumes = (this.trace.end?.['assumes'] as string[] | undefined) ?? [];
        if (assumes.length > 0) {
            side.append(el('div', { class: 'dim' }, `it rests on: ${assumes.join(', ')}`));
        }
        if (proof && proof.reached.length > 0) {
            const input = el('input', { type: 'checkbox', id: 'show-proof', change: () => {
                this.shows = input.checked;
                this.drawProof(this.shows);
            } });
            input.checked = this.shows;
            const some = proof.reached.length < proof.leaves ? `${proof.reached.length} largest of ${proof.leaves} leaves` : `${proof.leaves} leaves`;
            side.append(el('label', { class: 'row' }, el('span', {}, el('i', { class: 'key', style: 'background:#2aa67f' }),
                `where the body may be: ${some}`), input));
        }
    }
}
